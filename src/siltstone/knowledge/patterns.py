"""What stands between two names, and what it says of them. Rows are tried in order; the first that fits decides."""

from __future__ import annotations

import re
from typing import NamedTuple

from siltstone.knowledge.names import ORGANIZATION, PERSON, PLACE, PRODUCT, TASK

ANY: tuple[str, ...] = ()
WHO = (PERSON,)
WHERE = (PLACE,)
ORG = (ORGANIZATION, "component")
WORKS = (PERSON, ORGANIZATION)
PART = ("component", PRODUCT, TASK, "path", "event", "version", "concept")


class Row(NamedTuple):
    """One way to say a relation. `backward`: the later name is its subject. `ended`: it holds no longer.

    `source` and `target` are the types that its ends may have; the first is what an end of unknown type is taken for.
    `after` has to follow the later name.
    """

    between: re.Pattern[str]
    kind: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    backward: bool = False
    ended: bool = False
    after: re.Pattern[str] | None = None


_LEAD = (
    r"(?:,? (?:who|which|that))?(?: (?:also|now|still|currently|just|recently|then|already|really|always|later|once|has|had|have|has since|"
    r"finally|first|both|here|officially|happily|mostly|often|usually))*"
)
_ARTICLE = r"(?: (?:the|a|an|our|my|his|her|their|its|this|that))?"
_STOP = r"(?: |(?=,))"


_TAIL = rf"{_ARTICLE} ?[\"“'‘]?"


def _row(
    words: str,
    kind: str,
    source: tuple[str, ...],
    target: tuple[str, ...],
    *,
    backward: bool = False,
    ended: bool = False,
) -> Row:
    pattern = re.compile(rf"{_LEAD}{_STOP}(?:{words}){_TAIL}", re.IGNORECASE)
    return Row(pattern, kind, source, target, backward, ended)


_JOB = r"(?: as (?:a |an |the )?[\w -]{2,40}?)?"
ENGLISH: tuple[Row, ...] = (
    _row(
        r"(?:no longer works|doesn't work|does not work|used to work|stopped working|worked)(?: anymore)? (?:at|for)",
        "works_at",
        WHO,
        ORG,
        ended=True,
    ),
    _row(
        r"(?:left|quit|resigned from|retired from|was fired (?:from|by)|was laid off (?:from|by))",
        "works_at",
        WHO,
        ORG,
        ended=True,
    ),
    _row(rf"(?:works?|working|is working|am working|'m working){_JOB} (?:at|for|with)", "works_at", WHO, ORG),
    _row(
        rf"(?:joined|is employed (?:at|by)|got a job (?:at|with)|started(?: working)? at|interns? at|is an? [\w -]{{2,30}} at){_JOB}",
        "works_at",
        WHO,
        ORG,
    ),
    _row(r"(?:studies|study|is studying|am studying|is a student) at", "studies_at", WHO, ORG),
    _row(
        r"(?:studied at|graduated from|went to school at|got (?:his|her|their|a|my) (?:degree|phd|bachelor's|master's) (?:from|at))",
        "studied_at",
        WHO,
        ORG,
    ),
    _row(r"(?:teaches|teach) at", "works_at", WHO, ORG),
    _row(
        r"(?:no longer lives?|used to live|lived|moved (?:away from|out of)) ?(?:in)?",
        "lives_in",
        WHO,
        WHERE,
        ended=True,
    ),
    _row(r"(?:lives?|living|is living|resides?|settled|am living|'m living) (?:in|near)", "lives_in", WHO, WHERE),
    _row(r"(?:moved|relocated|has moved|is moving|moves)(?: back)?(?: from [\w ]+?)? to", "lives_in", WHO, WHERE),
    _row(
        r"(?:is|are|was|am)? ?(?:headquartered|based|located) in",
        "based_in",
        (ORGANIZATION, PERSON, "event", PLACE),
        WHERE,
    ),
    _row(r"(?:was|were|is)? ?born (?:and raised )?in", "born_in", WHO, WHERE),
    _row(r"(?:comes?|is|am) (?:originally )?from", "from", WHO, WHERE),
    _row(
        r"(?:visited|travell?ed to|went to|flew to|drove to|took a trip to|is visiting|toured|returned from|came back from)",
        "visited",
        WHO,
        WHERE,
    ),
    _row(r"(?:is|are|was|got|am)? ?(?:married) (?:to)?", "married_to", WHO, WHO),
    _row(r"(?:is|are) engaged to", "engaged_to", WHO, WHO),
    _row(r"(?:is|was) (?:dating|going out with)", "dating", WHO, WHO),
    _row(r"(?:divorced|broke up with)", "married_to", WHO, WHO, ended=True),
    _row(r"(?:knows|is friends with|is a friend of|met|befriended)", "knows", WHO, WHO),
    _row(r"(?:is|was) the (?:mother|father|parent) of", "parent_of", WHO, WHO),
    _row(r"(?:is|was) the (?:son|daughter|child) of", "parent_of", WHO, WHO, backward=True),
    _row(r"(?:is|was) the (?:brother|sister|sibling) of", "sibling_of", WHO, WHO),
    _row(r"(?:reports|reporting) to", "reports_to", WHO, WHO),
    _row(r"(?:manages|supervises|mentors)", "manages", WHO, (PERSON, ORGANIZATION, "component", PRODUCT)),
    _row(
        r"(?:leads|heads|runs|is in charge of|owns|is responsible for|maintains|(?:is|was|became|as) (?:the )?(?:new )?(?:ceo|cto|cfo|coo|head|lead|director|president|owner|founder|boss|manager) of|, (?:the )?(?:ceo|cto|cfo|head|director|president) of)",
        "leads",
        WHO,
        (ORGANIZATION, "component", PRODUCT, TASK),
    ),
    _row(r"(?:founded|co-founded|started the company|set up)", "founded", WORKS, (ORGANIZATION,)),
    _row(r"(?:was|were) (?:founded|co-founded) by", "founded", WORKS, (ORGANIZATION,), backward=True),
    _row(r"(?:hired|recruited|employs)", "hired", WORKS, WHO),
    _row(r"(?:acquired|bought out|took over|purchased)", "acquired", (ORGANIZATION,), (ORGANIZATION, PRODUCT)),
    _row(
        r"(?:was|were|has been) (?:acquired|bought|taken over) by",
        "acquired",
        (ORGANIZATION,),
        (ORGANIZATION, PRODUCT),
        backward=True,
    ),
    _row(r"(?:partners|partnered|works together) with", "partners_with", WORKS, WORKS),
    _row(
        r"(?:created|opened|filed|added|wrote down|set up|made)(?: a| the| an)?(?: new)?(?: (?:task|ticket|issue|todo|story))?(?: to| called| named)?",
        "created",
        WORKS,
        (TASK, "component", PRODUCT, "path", "event", ORGANIZATION),
    ),
    _row(
        r"(?:was|were) (?:created|made|opened|built|written|designed|developed) by",
        "created",
        WORKS,
        PART,
        backward=True,
    ),
    _row(r"(?:built|developed|designed|implemented|invented|launched|released|wrote|authored)", "created", WORKS, PART),
    _row(r"(?:is|was) assigned to", "assigned_to", (TASK, "component"), WHO),
    _row(
        r"(?:took over|is working on|works on|am working on|'m working on|started on|picked up)",
        "works_on",
        WHO,
        (TASK, "component", PRODUCT, "event"),
    ),
    _row(
        r"(?:finished|completed|closed|resolved|fixed|solved|repaired|patched)",
        "fixed",
        (PERSON, "version", "event", ORGANIZATION),
        (TASK, "event", "component", "path"),
    ),
    _row(
        r"(?:was|were) (?:finished|completed|closed|resolved|fixed|solved) by",
        "fixed",
        WORKS,
        (TASK, "event", "component", "path"),
        backward=True,
    ),
    _row(r"(?:depends?|relies|rely|builds|hinges) (?:up)?on", "depends_on", PART, PART),
    _row(r"(?:requires?|needs?)", "depends_on", PART, PART),
    _row(r"(?:is|are) (?:blocked by|waiting (?:for|on))", "blocked_by", PART, (*PART, PERSON)),
    _row(r"(?:blocks|is blocking)", "blocks", PART, PART),
    _row(r"(?:runs|is running|is deployed|is hosted) on", "runs_on", PART, PART),
    _row(r"(?:imports|includes)", "imports", ("path", "component", PRODUCT), ("path", "component", PRODUCT)),
    _row(r"(?:extends|inherits from|subclasses)", "extends", PART, PART),
    _row(r"(?:replaces|replaced|supersedes)", "replaces", PART, PART),
    _row(
        r"(?:is|are|was) (?:part of|a member of|in)", "part_of", (PERSON, *PART), (ORGANIZATION, "component", PRODUCT)
    ),
    _row(r"(?:is|are|was)? ?(?:written|built|implemented) (?:in|with)", "built_with", PART, (PRODUCT, "component")),
    _row(
        r"(?:no longer uses?|stopped using|used to use)",
        "uses",
        (PERSON, ORGANIZATION, *PART),
        (PRODUCT, "component"),
        ended=True,
    ),
    _row(
        r"(?:uses?|is using|are using|am using|'m using|adopted|switched to|(?:prefers?|likes?|loves?) (?:to use|using|working with))",
        "uses",
        (PERSON, ORGANIZATION, *PART),
        (PRODUCT, "component"),
    ),
    _row(r"(?:likes?|loves?|enjoys?|adores?)", "likes", WHO, ANY),
    _row(r"(?:prefers?)", "prefers", WHO, ANY),
    _row(r"(?:hates?|dislikes?|can't stand)", "dislikes", WHO, ANY),
    _row(
        r"(?:caused|causes|led to|leads to|resulted in|results in|triggered|triggers|brought about)",
        "caused",
        ("event", "version", "component", PERSON, "path", "concept", TASK),
        ("event", TASK, "component", "concept"),
    ),
    _row(
        r"(?:was|were|is) (?:caused|triggered|brought about) by",
        "caused",
        ("event", "version", "component", "path", "concept"),
        ("event", TASK, "component", "concept"),
        backward=True,
    ),
    _row(
        r"(?:broke|crashed|took down)",
        "broke",
        ("event", "version", "component", PERSON, "concept"),
        ("component", "event", PRODUCT),
    ),
    _row(
        r"(?:edited|changed|modified|refactored|rewrote|updated|reviewed)",
        "changed",
        WHO,
        ("path", "component", PRODUCT, TASK),
    ),
    _row(r"(?:bought|owns|sold|holds)(?: [\w,.]+){0,3}?(?: shares?| stocks?)?(?: of| in)?", "trades", WHO, ("ticker",)),
    _row(r"(?:bought|owns|got|drives|rides)(?: an?| the)?(?: new)?", "has", WHO, (PRODUCT,)),
    _row(r"(?:told|emailed|called|texted|asked|thanked|messaged)", "talked_to", WHO, WHO),
    _row(
        r"(?:mentioned|talked about|recommended|suggested|announced|presented)",
        "mentioned",
        WORKS,
        (PRODUCT, "component", "event", TASK, "path"),
    ),
)


def _chinese(
    words: str, kind: str, source: tuple[str, ...], target: tuple[str, ...], after: str = "", *, ended: bool = False
) -> Row:
    lead = r"\s*(?:也|都|就|还|還|现在|現在|目前|最近|已经|已經|曾经|曾經|刚|剛|一直|正在|上周|去年|昨天|今天|今年)*"
    between = re.compile(rf"{lead}(?:{words})(?:任务|任務|一个|一個|了|过|過|新|名为|叫)*\s*[“「『\"《]?")
    return Row(between, kind, source, target, False, ended, re.compile(after) if after else None)


CHINESE: tuple[Row, ...] = (
    _chinese("在", "works_at", WHO, ORG, r"[”」』\"》]?(?:工作|上班|任职|任職|就职|就職|做|当|當|担任|擔任|实习|實習)"),
    _chinese("在", "studies_at", WHO, ORG, r"(?:学习|學習|读书|讀書|上学|上學|念书|念書|读|讀)"),
    _chinese("不再在|以前在|从前在|曾在", "works_at", WHO, ORG, r"(?:工作|上班|任职)", ended=True),
    _chinese("加入|入职|入職|就职于|就職於|任职于|任職於|供职于|在职于", "works_at", WHO, ORG),
    _chinese("离开|離開|辞去|从|從", "works_at", WHO, (ORGANIZATION,), r"|(?:离职|離職|辞职|辭職)", ended=True),
    _chinese("搬离|搬離|离开|離開", "lives_in", WHO, WHERE, ended=True),
    _chinese("住在|居住在|住|定居在?|住到|生活在", "lives_in", WHO, WHERE),
    _chinese("搬到|搬去|搬回|迁到|遷到|移居|迁居", "lives_in", WHO, WHERE),
    _chinese("在", "lives_in", WHO, WHERE, r"(?:生活|居住|定居)"),
    _chinese("出生于|出生於|出生在|生于|生於", "born_in", WHO, WHERE),
    _chinese("来自|來自", "from", WHO, WHERE),
    _chinese(
        "(?:的)?总部(?:位于|设在|在)|(?:的)?總部(?:位於|設在|在)|位于|位於|坐落于|坐落於",
        "based_in",
        (ORGANIZATION, PLACE),
        WHERE,
    ),
    _chinese("去|到|前往|访问|訪問|飞往|飛往|去过|到过|来到|來到", "visited", WHO, WHERE),
    _chinese("毕业于|畢業於|毕业自|就读于|就讀於", "studied_at", WHO, ORG),
    _chinese("嫁给|嫁給|娶|和|跟|与", "married_to", WHO, WHO, r"(?:结婚|結婚|结为夫妻)"),
    _chinese("嫁给|嫁給|娶", "married_to", WHO, WHO),
    _chinese("认识|認識|结识", "knows", WHO, WHO),
    _chinese("向", "reports_to", WHO, WHO, r"(?:汇报|匯報)"),
    _chinese("管理|领导|領導", "manages", WHO, (PERSON, ORGANIZATION, "component")),
    _chinese(
        "负责|負責|主管|主持|是",
        "leads",
        WHO,
        ("component", ORGANIZATION, TASK, PRODUCT),
        r"|(?:的)?(?:负责人|負責人|总经理|總經理|CEO|创始人)",
    ),
    _chinese("创办|創辦|创立|創立|成立", "founded", WORKS, (ORGANIZATION,)),
    _chinese("收购|收購|并购|併購", "acquired", (ORGANIZATION,), (ORGANIZATION, PRODUCT)),
    _chinese("聘用|雇用|招聘|录用", "hired", WORKS, WHO),
    _chinese(
        "创建|創建|建立|新建|提交|开发|開發|设计|設計|写|寫|编写|發布|发布",
        "created",
        WORKS,
        (TASK, "component", PRODUCT, "path", "event"),
    ),
    _chinese("依赖于?|依賴於?|需要|取决于|基于|基於", "depends_on", PART, PART),
    _chinese("运行在|運行在|部署在", "runs_on", PART, PART),
    _chinese(
        "导致|導致|引发|引發|造成|引起",
        "caused",
        ("event", "component", "version", PERSON, "concept"),
        ("event", "component", TASK, "concept"),
    ),
    _chinese("修复|修復|解决|解決|完成", "fixed", WORKS, (TASK, "event", "component")),
    _chinese("使用|在用|用|喜欢用|喜歡用|改用", "uses", (PERSON, ORGANIZATION, *PART), (PRODUCT, "component")),
    _chinese("喜欢|喜歡|爱|愛|热爱", "likes", WHO, ANY),
    _chinese("讨厌|討厭|不喜欢", "dislikes", WHO, ANY),
)
BACKWARD_CHINESE: tuple[Row, ...] = (
    Row(
        re.compile(r"\s*(?:被|由)\s*"),
        "acquired",
        (ORGANIZATION,),
        (ORGANIZATION, PRODUCT),
        True,
        False,
        re.compile("收购|收購"),
    ),
    Row(
        re.compile(r"\s*(?:被|由)\s*"),
        "created",
        WORKS,
        PART,
        True,
        False,
        re.compile("创建|創建|开发|開發|设计|設計|编写"),
    ),
    Row(
        re.compile(r"\s*(?:被|由)\s*"),
        "fixed",
        WORKS,
        (TASK, "event", "component"),
        True,
        False,
        re.compile("修复|修復|解决|解決"),
    ),
    Row(
        re.compile(r"\s*(?:由)\s*"),
        "leads",
        WHO,
        ("component", TASK, ORGANIZATION),
        True,
        False,
        re.compile("负责|負責|管理"),
    ),
)
HAN = (*BACKWARD_CHINESE, *CHINESE)
ALIAS = re.compile(
    r" ?[(（][\"“'‘]?|,? (?:also |better |formerly )?(?:known|called) as [\"“]?|,? (?:a\.?k\.?a\.?|alias|nicknamed|called|i\.e\.),? [\"“]?"
    r"|[，,]?(?:又名|别名|別名|也叫|又叫|外号|外號|昵称|昵稱|英文名(?:叫|是)?|人称|简称|簡稱)[“\"]?",
    re.IGNORECASE,
)
"""What stands between a name and another name of the same."""
ALSO = re.compile(
    r"(?: (?:at|in|for|on) \w+)?(?:,| and|, and| or| as well as|、|和|与|及|以及|，) ?(?:the |a |an |his |her )?",
    re.IGNORECASE,
)
"""What stands between two names of which the same is said."""
_ANY_ENGLISH = re.compile(
    rf"{_LEAD}{_STOP}(?:{'|'.join(row.between.pattern[len(_LEAD + _STOP) : -len(_TAIL)] for row in ENGLISH)}){_TAIL}",
    re.IGNORECASE,
)
_HAN = re.compile("[\u3400-\u9fff]")


def rows(words: str) -> tuple[Row, ...]:
    """The rows that may fit these words: most words fit none, which one look tells."""
    if _HAN.search(words):
        return HAN
    return ENGLISH if _ANY_ENGLISH.fullmatch(words) else ()
