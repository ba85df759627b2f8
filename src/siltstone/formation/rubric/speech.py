"""What a clause does: state, ask, command, greet, take back, mark irony, or merely add to the statement before it."""

from __future__ import annotations

import re
from enum import Enum

from siltstone.text.lexicon_forms import IRREGULAR, inflected


class Act(Enum):
    """What a clause does. SILENT stands for greetings, fillers, thanks, wishes."""

    STATE = "state"
    ADD = "add"
    ASK = "ask"
    COMMAND = "command"
    SILENT = "silent"
    RETRACT = "retract"
    IRONY = "irony"


RETRACTION = re.compile(
    r"""(?:^[\s.,!?;:，。！？]*|\b(?:just|only|totally|i'?m|i\s+am|i\s+was|obviously|haha?|lol|nah)\s+)(?:kidding|joking)\b(?!\s+(?:with|about|around|\w+sel))
    | ^[\s.,!?;:，。！？]*(?:jk|j/k|jks|just\s+messing(?:\s+with\s+(?:you|ya|u))?|(?:i\s+was\s+)?only\s+messing|(?:i'?m\s+)?pulling\s+your\s+leg|april\s+fools?'?|gotcha|sike|psych|not\s+really|i\s+take\s+(?:that|it)\s+back
    |(?:just|only)\s+teasing|(?:i\s+)?did\s*n'?o?t\s+mean\s+(?:it|that)|not\s+true|that'?s\s+not\s+true|i\s+lied|i\s+made\s+that\s+up|made\s+(?:that|it)\s+up|had\s+you\s+(?:there|going)|got\s+you|ignore\s+that,?\s+i\s+was.*|forget\s+(?:that|it|i\s+said\s+that)
    |(?:no,?\s+)?never\s*mind,?\s+(?:i\s+)?didn'?t\s+mean.*)\b
    | \b(?:jk|j/k|lol\s+jk|just\s+messing\s+with\s+(?:you|ya|u)|messing\s+with\s+you|winding\s+you\s+up|pulling\s+your\s+leg|april\s+fools?)[\s.,!?;:，。！？]*$
    | (?<![欢爱常会能别想在])开(?:个)?玩笑(?:的|啦|而已|呢|哈)? | 逗你(?:的|玩|们)?(?:呢|的|啦)? | (?<![没不会想])骗你(?:的|们)?(?:啦|呢|玩)? | 瞎说(?:的)? | 胡说(?:的)? | 说着玩 | 闹着玩 | 我乱说 | 乱讲的 | 随口一说 | ^不是真的$ | 当我没说 | 假的啦 | 说笑的? | 我编的 | 口误""",
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
IRONY = re.compile(
    r"/s(?!\w)|\((?:sarcas\w+|irony|ironic\w*|not)\)|（(?:反话|讽刺|反讽|阴阳怪气|狗头)）|\((?:反话|讽刺|反讽|阴阳怪气|狗头)\)|[\[【](?:狗头|doge)[\]】]|#sarcasm|\bnot!\s*$",
    re.IGNORECASE,
)
CORRECTION = re.compile(
    r"^\W*(?:no\s+)?(?:wait|scratch that|actually|i mean|correction)\b|^\W*(?:不对|说错了|等等)", re.IGNORECASE
)

_SILENT_WORDS = frozenset(
    """
    hi hello hey heya hiya yo sup howdy greetings morning afternoon evening night nite goodnight good all everyone everybody folks there guys team y'all bye goodbye
    cya later see you ya u tomorrow talk soon speak take care cheers thanks thank thx ty tysm much a lot very so again many for the help your time everything lol lmao rofl
    haha hahaha hahah hehe heh ha ok okay k kk yes yeah yea yep yup no nope nah right sure true indeed exactly same agreed got it i hmm hm mm mmm um uh er erm oh ah aha wow whoa
    cool nice great perfect awesome brilliant well anyway alright np problem welcome be too what's up whats fair enough makes sense of course absolutely definitely totally
    noted gotcha understood sounds plan done that's one this sec moment wait just hang on hold minute please pls and to to-do mate buddy dear friend happy birthday
    congrats congratulations wonderful day weekend have week sorry hear that about loss condolences poor thing my deepest thoughts with both get well luck merry christmas new year easter
    in sweet dreams sleep bless oops whoops never mind nevermind nvm omg yay woo woohoo ta gg ikr fyi k. hbu wbu here go then now anyways lovely interesting really huh eh amen bravo cu ttyl brb
    """.split()
)
_SILENT_HEADS = re.compile(
    r"^\W*(?:(?:the )?(?:bad|good|great|sad|big|other) news(?: first| though| is)?$|(?:update|news|note|fyi|edit|ps|p\.s|confession|fun fact|true story|side note|story time|context|background)$|have fun|safe (?:travels|trip|flight|journey)|enjoy your|enjoy the|fair (?:point|play)|well (?:said|done|played)|gn$|no way$|no kidding|mm+-?hm+|i think so|i agree|me (?:too|neither)|same here|i know,?(?: right)?$|put the kettle|thank(?:s| you)|thx|ty\b|cheers\b|sorry (?:to hear|for your|about your)|so sorry|my condolences|congrat|happy (?:birthday|new year|easter|friday|anniversary to)"
    r"|merry |good (?:morning|night|evening|afternoon|luck)|see you|see ya|talk (?:soon|later|to you)|take care|have a (?:good|great|nice|lovely)|get well|how are you|how's it going"
    r"|how have you been|what's up|nice to meet|welcome back|long time no|no worries|no problem|you're welcome|my bad|hope you|hi\b|hello\b|hey\b(?! jude)|hiya|morning (?:all|every)|evening (?:all|every)"
    r"|night night|sleep well|one sec|brb|be right back|hang on|hold on|give me a (?:sec|minute|moment)|let me (?:think|see|check)|just a (?:sec|moment|minute)|that'?s (?:true|right|fair|it)|i see\b|got it"
    r"|sounds (?:good|great|like a plan)|makes sense|fair enough|of course|you're right|never mind$|nvm|as i said|poor (?:you|thing)|oh (?:no|dear|my)\b(?!.*\b(?:i|my)\b))",
    re.IGNORECASE,
)
_SILENT_HAN = re.compile(
    r"^(?:谢谢啦|对呀|好久不见|啊这|马上|稍后|等我一下|等我|(?:没有)+[啦吧]?|不是不是|你好|您好|大家好|嗨|哈[喽啰罗]|早安?|早上好|早啊|上午好|中午好|下午好|晚上好|晚安|再见|拜拜?|回见|回头见|明天见|回头聊|改天聊|一会儿见|在吗|在不在?|在么|忙吗|吃了吗|谢谢?你?您?了?|谢啦|谢了|多谢|感谢|太感谢了|辛苦了?|麻烦了|不客气|不用谢"
    r"|好的?|好嘞|好滴|好吧|好啊|好呀|好哒|行吧?|行啊|可以啊?|嗯+|哦+|噢+|喔+|哈{2,}|呵呵|嘿嘿|嘻嘻|嘿|是的?|是啊|是呀|是吧|对+的?|对啊|对吧|没错|明白了?|收到|知道了|知道啦|了解了?|懂了?|等一?下|等等|等会儿?|稍等|稍等一下|没事儿?|没关系|没问题|加油|节哀|节哀顺变"
    r"|恭喜恭喜|恭喜你?们?|生日快乐|新年快乐|新年好|周末愉快|节日快乐|中秋快乐|圣诞快乐|一路顺风|注意身体|保重|多保重|早点休息|早日康复|祝.{1,8}|哎呀?|唉+|啊+|呀|额+|呃+|那个|这个|6{2,}|厉害了?|原来如此|这样啊|这样|也是|真的假的|真的|真的吗|不会吧|天哪|天啊|我去|我靠|哇+|哇塞|牛|牛啊|随便|都行|先这样|就这样|拜|爱你|么么哒|抱抱|心疼你|同意|赞同|确实|有道理|说得对|抱歉|对不起|不好意思|失陪|久等了|打扰了|先忙了|我先忙|先忙|辛苦啦|nice|okk?|yes|no|hi|hello|bye|thx|thanks|thank you|lol)$",
    re.IGNORECASE,
)
_PLEASE = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|hey|hi|so|and|now|then|also|alexa|siri|google|computer|assistant|just|quick)[,\s]+)*(?:please|pls|plz|kindly|can (?:you|u|we|i (?:get|have|see))|could (?:you|u|we|i (?:get|have))|would you|will you|would you mind|let's|lets|let us|do me a favou?r|feel free|go ahead|remember to|don'?t forget|make sure|be sure to|i need you to|i want you to|i'?d like you to|i would like you to)\b",
    re.IGNORECASE,
)
_COMMANDS = frozenset(
    """
    set turn switch play pause stop delete remove open close remind show tell give make write rewrite refactor fix rename translate summarise summarize
    find search look send call text add check explain list create start book order run rerun restart reboot update convert compare calculate compute generate draft
    describe define help suggest recommend print save copy paste move undo redo continue repeat skip mute unmute schedule cancel edit shorten expand format sort
    count analyse analyze review test build deploy merge commit push pull clone implement replace use try put read change enable disable increase decrease dim lock unlock proofread
    spell solve proceed shuffle download upload install uninstall click scroll zoom google email reply forward ask buy get take bring keep let leave come go wait
    squash roll rollback ship bump pin fetch tail grep kill drop lower raise crank grab hand pass fill hang slice transcribe paraphrase tag label group filter trim wrap encode decode
    encrypt lint benchmark monitor ping reload refresh reset launch boil preheat stir tweak adjust revert rebase squeeze tell teach suggest summarize highlight underline bold
    listen watch think imagine consider name pick choose draw plot rank rate outline extract split join resize crop rotate simplify clarify confirm verify note ignore forget say
    answer rephrase clean tidy book navigate dial order attach export import sync backup log scan wake snooze brainstorm plan estimate debug profile optimise optimize document comment annotate
    """.split()
)
_COMMAND_REST = frozenset(
    """me us the a an this that these those it them all my your to up down off on out over for in with again how what why which where who some any everything each every two three next
    previous last first volume lights timer alarm music between from about into""".split()
)
_TWO_TENSES = frozenset("set put read cut let hit quit run come split".split())
_WH = frozenset(
    "what when where which who whom whose why how whats what's hows how's whens wheres where's who's whos".split()
)
_AUX = frozenset(
    "is are was were do does did can could will would should shall may might has have had am isn't aren't don't doesn't didn't can't couldn't won't wouldn't shouldn't".split()
)
_MAIN_VERBS = frozenset("had has have do may might don't can't couldn't was were".split())
_PRONOUNS = frozenset("i you we they he she it".split())
_AFTER_AUX = frozenset(
    "i you we they he she it the this that there these those my your his her our their anyone anybody someone somebody all a an any".split()
)
_ASK_HEAD = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay|hey|hi|btw|also|hmm|well|um|quick question)[,:\s]+)*"
    r"(?:any (?:ideas?|tips?|advice|suggestions?|thoughts|recommendations?|chance|good)|do you (?:know|think|have)|does any|is there|are there|what about|how about|how come|how do|how can|how should|how to|what should|"
    r"where can|which \w+ (?:is|are|should|do|does|can|goes|would)|got any|anyone (?:know|got|have)|wondering (?:if|how|what|whether)|i wonder (?:if|how|what|whether|why)|i was wondering|i wanted to ask|i want to ask|so i wanted to ask|question:|thoughts on|tips for|ideas for)\b",
    re.IGNORECASE,
)
_ASK_HAN = re.compile(
    r"[吗嘛么]\W*$|(?<!没)(?<!为了)什么|怎么|怎样|怎么办|谁[的写是能会在知]|^谁|哪[里儿个些位家种天年]|哪能|多少|几点|(?<!有)几个|几号|几天|为什么|为啥|是不是|有没有|能不能|可不可以|可以不|会不会|要不要|该不该|好不好|行不行|对不对|多长|多久|多大|多高|多远|多重|如何|咋|何时|是否|呢\W*$|请问|求推荐|有推荐"
)
_NOT_ASKING = re.compile(
    r"没什么|什么都|什么也|怎么也|怎么都|不怎么|没怎么|谁都|谁也|哪[里儿]?都|哪[里儿]也|在?考虑要不要|考虑.{0,4}要不要|犹豫.{0,4}要不要|不知道|不确定|不清楚|不明白|没想好|纠结|几个[^？?]*[了过]|怎么这么|怎么又|怎么老|不管|无论|想不通|多大的|多少有|是不是.{0,8}[了吧]\W*$|玩呢|逗你"
)
_COMMAND_HAN = re.compile(
    r"^(?:请|麻烦|劳驾|帮[我忙个]|替我|给我(?!.{0,3}(?:妈|爸|姑|哥|姐|弟|妹|爷|奶|姨|舅|叔|儿|女|老|朋|同|娃|孩|家|自己|们))|把|将|提醒|设[置个一定]|打开|关[掉闭上了]?|开[灯空]|放首|放点|播放|播|暂停|停|继续|重来|再来|翻译|写[个一封篇段首份]|查[一下询找]?|搜|告诉|列[出个一]|总结|概括|删|改[成为写]|算[一下]?|推荐|"
    r"换[成首个]|别[再说动忘放发]|介绍|解释|说说|讲[个讲一]|来[首个点一]|定[个一]|订[个一]|发[个一给送]|重新|再说|大声|小声|下一|上一|调[大小高低]|改一|别用|生成|画[个一]|润色|检查|修[复改]|重[写启跑]|跑一[下遍]|编[个一写]|叫[个辆]|导航|打电话给|打给|记[一下住得]|读[一下给]|输出|用.{1,12}(?:写|说|解释|总结|翻译|回答)|对比|比较一下|让我们|咱们?.{0,4}吧|看看?这|看一下)"
)
_PAST_HAN = re.compile(r"[了过着](?!吧)")
_ADDING = re.compile(
    r"^\W*(?:hard to (?:tell|say)|we'?ll see|who knows|not sure(?: yet| though)?|dunno|idk|i don'?t know(?: yet| why)?|no idea(?: why)?|hands down|forever|for ever|ever|never|always(?: have(?: been| done)?| will(?: be)?| did)?|honestly|tbh|though|officially|really|truly|period|full stop|end of(?: story)?|no (?:regrets?|question|doubt|exceptions?|contest)|for (?:now|sure|real|good|life)|at last|finally|i (?:guess|think|suppose|believe|hope|mean|swear)"
    r"|it seems|apparently|sort of|kind of|or something|or so|so far|as always|as usual|again|too|either|obviously|frankly|have done since.*|haven'?t (?:for|since|in).*|yet|maybe|perhaps|probably|only|now|lol|haha|ha|ugh|meh|oh well|whatever|(?:don'?t|no) regrets?.*|so there'?s that|i'?m (?:so |really |very )?(?:happy|glad|proud|sad|thrilled|excited|gutted|devastated|scared|terrified|relieved|nervous|heartbroken|over the moon).{0,30})\W*$"
    r"|^(?:还[行好]吧?|一般般?|再看看|再说|再说吧|没有之一|真的|真心的?|说不准|说不清|不好说|不确定|还没想好|没想好|不知道|谁知道呢|吧|呢|看情况|到时候再说|永远|没例外|没商量|超级|绝对|唉|哎|呜呜|呜呜呜|救命|哈哈哈*|嘿嘿|太.{1,3}了?|好.{1,2}|真.{1,2}|很.{1,2})\W*$",
    re.IGNORECASE,
)
_FORMS = frozenset(form for forms in IRREGULAR.values() for form in forms)
_VERBS = """
    work live love like hate need want seem look start finish marry inherit believe hope wish move call ask help try use happen turn change play stay visit cook watch walk talk
    enjoy prefer miss paint study travel learn train teach die pass fail cost own wait worry laugh smile rain snow close open arrive decide promise quit retire adopt join
"""
_INFLECTED = frozenset(form for verb in (*_VERBS.split(), *_COMMANDS) for form in inflected(verb))
_PAST_ALIKE = frozenset(base for base, forms in IRREGULAR.items())


def act(text: str, *, asked: bool = False, opens: bool = True) -> Act:
    """What a clause does; `asked`: it ends with a question mark; `opens`: it begins a sentence."""
    bare = text.strip(" \t\n.,;:!~…。，；：！、-—\"“”'")
    if not bare or not re.search(r"\w", bare):
        return Act.SILENT
    if RETRACTION.search(bare):
        return Act.RETRACT
    if IRONY.fullmatch(text.strip(" .,，。!！")):
        return Act.IRONY
    if is_silent(bare):
        return Act.SILENT
    if _asks(bare, asked, opens):
        return Act.ASK
    if _commands(bare):
        return Act.COMMAND
    return Act.ADD if _ADDING.match(bare) else Act.STATE


def is_silent(bare: str) -> bool:
    """Whether a clause only greets, thanks, agrees, wishes or fills."""
    words = re.findall(r"[a-z'.-]+", bare.lower()) if bare.isascii() else []
    if words and all(word.strip(".") in _SILENT_WORDS for word in words):
        return not (set(words) & {"i", "my"} and len(words) > 3)
    return bool(_SILENT_HAN.match(bare.strip("？? ")) or (_SILENT_HEADS.match(bare) and len(words) < 9))


def _asks(bare: str, asked: bool, opens: bool) -> bool:
    if asked or bare.endswith(("?", "？")):
        return True
    if _ASK_HEAD.match(bare):
        return True
    if _ASK_HAN.search(bare) and not _NOT_ASKING.search(bare):
        return True
    words = bare.lower().split()[:3]
    if len(words) < 2 or not opens:
        return False
    if words[0] in _WH:
        return (
            words[1] not in _PRONOUNS | {"i'm"}
            and words[1] not in ("a", "an", "lovely", "nice", "ever")
            and not (words[0] == "when" and words[1] in _AFTER_AUX)
        )
    return words[0] in _AUX and words[1] in (_PRONOUNS if words[0] in _MAIN_VERBS else _AFTER_AUX)


def _commands(bare: str) -> bool:
    if _PLEASE.match(bare) or re.search(r"\b(?:please|pls|plz)$", bare, re.IGNORECASE):
        return True
    if _COMMAND_HAN.match(bare) and not _PAST_HAN.search(bare):
        return True
    if re.fullmatch(r"[Cc]all me [A-Z]\w+", bare):
        return False
    words = re.findall(r"[A-Za-z']+", bare.lower())
    if words[:1] and words[0] in ("dont", "don't"):
        return len(words) > 1 and words[1] in _COMMANDS - {
            "get",
            "go",
            "watch",
            "think",
            "use",
            "buy",
            "take",
            "read",
            "keep",
        }
    if not words or words[0] not in _COMMANDS or not bare[0].isascii():
        return False
    if len(words) == 1:
        return bool(words[0] != "quit")
    if words[1] not in _COMMAND_REST and any(is_past(word) for word in words[1:5]):
        return False
    if words[0] in _TWO_TENSES and not set(words) & {
        "me",
        "this",
        "these",
        "timer",
        "alarm",
        "reminder",
        "please",
        "tests",
        "test",
        "again",
    }:
        return False
    return words[1] in _COMMAND_REST or words[1] not in ("is", "was", "are", "were", "has", "and", "ran", "of")


def has_verb(words: list[str]) -> bool:
    """Whether an English word group seems to hold a finite verb."""
    return any(
        word in _FORMS or word in _PAST_ALIKE or word in _INFLECTED or word.endswith(("ed", "n't")) or "'" in word
        for word in words
    )


def is_past(word: str) -> bool:
    """Whether an English word seems to be a verb in the past tense."""
    return (word in _FORMS and not word.endswith("ing")) or (word.endswith("ed") and len(word) > 4)
