"""Names: the one form under which all spellings of a name meet, and the ids that follow from it."""

from __future__ import annotations

import re
from functools import lru_cache

from siltstone.domain.graph import ANYTHING
from siltstone.text.normal import CJK, fold

_PLAIN = re.compile(r"[a-z0-9]+(?: [a-z0-9]+)*")
"""What is its own plain form, as most ids and many names are."""
_CJK = re.compile(f"[{CJK}]")
_OTHER = re.compile(r"[^\w+#.]+|_+")
_LOOSE_DOT = re.compile(r"(?<!\d)\.|\.(?!\d)")
_POSSESSIVE = re.compile(r"(?<=\w)'s\b|(?<=s)'(?=\s|$)")
_BETWEEN_CJK = re.compile(f"(?<=[{CJK}]) (?=[{CJK}])")
_ARTICLE = re.compile(r"^(?:the|a|an) (?=\w)")
_TITLE = re.compile(r"^(?:mr|mrs|ms|miss|dr|prof|professor|sir|madam|mx) (?=\w)")
_LEGAL = re.compile(
    r"(?: (?:inc|incorporated|corp|corporation|ltd|limited|llc|llp|plc|gmbh|ag|co|company|sa|bv|pty)){1,3}$"
    r"|(?:股份)?有限(?:责任)?公司$|(?<=..)(?:公司|集团)$"
)
_VERSION = re.compile(r"^v(?:ersion)? ?(?=\d)")

PERSON, PLACE, ORGANIZATION, PRODUCT, TASK = "person", "place", "organization", "product", "task"
VERSION, PATH, TICKER, DATE = "version", "path", "ticker", "date"
VAGUE = frozenset((ANYTHING, "concept", "thing", "topic", "object", "other", "misc", "unknown", "noun", "term"))
"""Types that say nothing: a name with one of them may be that of anything."""
SYNONYMS = {
    **dict.fromkeys("people human user name character individual per".split(), PERSON),
    **dict.fromkeys("location city country town region state village gpe loc address".split(), PLACE),
    **dict.fromkeys(
        "organisation company org institution business employer school university team".split(), ORGANIZATION
    ),
    **dict.fromkeys(
        "technology tool software library framework service app application language model".split(), PRODUCT
    ),
    **dict.fromkeys("todo ticket issue action".split(), TASK),
    **dict.fromkeys("file folder directory url".split(), PATH),
    **dict.fromkeys("time datetime day year".split(), DATE),
    "人": PERSON,
    "人物": PERSON,
    "地点": PLACE,
    "地方": PLACE,
    "城市": PLACE,
    "组织": ORGANIZATION,
    "公司": ORGANIZATION,
    "机构": ORGANIZATION,
    "产品": PRODUCT,
    "任务": TASK,
    "日期": DATE,
}
"""Other words for a type."""
_TRADITIONAL = str.maketrans(
    "騰齡塊負責創務項數據庫腦號幣價買賣資員隊組織議設計劃測試運護備雜態壓優導團歷舊歸檔緩異構層級擔協調變換傳輸軟載壞顯節準確認證監視覽瀏圖譜樣張"
    "陳劉黃趙楊吳孫馬鄭謝許鄧馮蕭葉鍾龍東國華麗偉強軍電臺灣廣門學韓蔣蘇盧羅賈閻餘潘範鄒陸顧錢湯嚴賴莊鐘譚聶齊龐顏倪樂覃"
    "劍輝鵬濤傑萬寶貝蘭鳳英嬌瑩瓊潔靜娟慶榮豐興業聯經濟銀飛機車場園區縣鄉鎮島灘橋條線點頭風雲龜會團產開關際訊網絡達"
    "體書畫語話說請讓認識長發現實報紙專個們這裡邊對後來過還進遠見親愛歡習與無為從倉衛術醫藥廠問間聞時爾維納爺媽婦"
    "紅綠藍綫給結統絲紐約倫馬羅瑞爾蘋蘿蔔魚鳥貓豬雞鴨鵝燈燒雙嶺嶽濱漢潤濰濟漁溝滿澤瀋煙熱獅獎環監盤礎禮穀積穩競筆簡",
    "腾龄块负责创务项数据库脑号币价买卖资员队组织议设计划测试运护备杂态压优导团历旧归档缓异构层级担协调变换传输软载坏显节准确认证监视览浏图谱样张"
    "陈刘黄赵杨吴孙马郑谢许邓冯萧叶钟龙东国华丽伟强军电台湾广门学韩蒋苏卢罗贾阎余潘范邹陆顾钱汤严赖庄钟谭聂齐庞颜倪乐覃"
    "剑辉鹏涛杰万宝贝兰凤英娇莹琼洁静娟庆荣丰兴业联经济银飞机车场园区县乡镇岛滩桥条线点头风云龟会团产开关际讯网络达"
    "体书画语话说请让认识长发现实报纸专个们这里边对后来过还进远见亲爱欢习与无为从仓卫术医药厂问间闻时尔维纳爷妈妇"
    "红绿蓝线给结统丝纽约伦马罗瑞尔苹萝卜鱼鸟猫猪鸡鸭鹅灯烧双岭岳滨汉润潍济渔沟满泽沈烟热狮奖环监盘础礼谷积稳竞笔简",
)


@lru_cache(maxsize=65_536)
def words_of(name: str, kind: str = ANYTHING) -> str:
    """The name in plain words: NFKC, casefolded, accents off, traditional characters simplified, punctuation as blanks.

    `+`, `#` and dots between digits are part of a name. Titles of persons, legal forms of organizations, an article and
    a version's `v` are not. A path is left as it is.
    """
    if kind == PATH:
        return name.strip()
    if _PLAIN.fullmatch(name):
        text = name
    else:
        text = _POSSESSIVE.sub("", fold(name).translate(_TRADITIONAL)).replace("'", "")
        text = _OTHER.sub(" ", _LOOSE_DOT.sub("", text))
        text = _BETWEEN_CJK.sub("", " ".join(text.split()))
    if kind == PERSON:
        return _TITLE.sub("", text)
    text = _ARTICLE.sub("", text)
    if kind == ORGANIZATION:
        text = _LEGAL.sub("", text) or text
    elif kind == VERSION:
        text = _VERSION.sub("", text)
    return text


def name_key(name: str, kind: str = ANYTHING) -> str:
    """What is equal for all spellings of a name: its plain words without blanks; the name itself where nothing is left."""
    return words_of(name, kind).replace(" ", "") or name.strip()


def entity_type(kind: str) -> str:
    """The type in lower case with `_` for blanks, the usual word in place of its synonyms; "entity" for a blank one."""
    plain = "_".join(_OTHER.sub(" ", fold(kind)).split())
    return SYNONYMS.get(plain, plain) or ANYTHING


def relation_type(kind: str) -> str:
    """The type of a relation in lower case with `_` for blanks; "related_to" for a blank one."""
    return "_".join(_OTHER.sub(" ", fold(kind)).split()) or "related_to"


def entity_key(kind: str, name: str) -> str:
    """The id of an entity that is given none: `person:alice`, `task:deploy_v1`."""
    kind = entity_type(kind)
    return f"{kind}:{words_of(name, kind).replace(' ', '_') or name.strip()}"


def is_cjk_name(name: str) -> bool:
    """Whether a name has no blanks to part it from its surroundings."""
    return _CJK.search(name) is not None


def may_be_one(kind: str, other: str) -> bool:
    """Whether two types may be those of one thing."""
    return kind == other or kind in VAGUE or other in VAGUE
