"""The gate of recall: prompts that ask for nothing, in English and Chinese, for which no memory is looked up."""

from __future__ import annotations

import re

TRIVIAL = frozenset(
    """ok okay k kk yes yeah yep yup no nope nah sure fine right correct exactly agreed good great cool nice perfect
    awesome thanks thank you thx ty cheers hi hello hey yo bye goodbye continue proceed next stop wait go on done
    please hm hmm uh oh ah lol haha got it i see sounds good well very much all that is it the do so and then ahead
    keep going try again now again morning evening night welcome""".split()
)
"""Words of which a prompt may consist and still ask for nothing."""
ASKING = frozenset("do is it the that all i you so and then please very well now".split())
"""Those among them that say nothing alone: a prompt of these only is not trivial, it is unclear."""
TRIVIAL_CJK = re.compile(
    r"(?:好的?|嗯+|恩|对的?|是的?|哦+|噢|喔|啊|可以|没错|沒錯|行|不是?|不要|不用|谢谢你?|謝謝你?|多谢|你好|您好|嗨|早|早上好|晚安|再见"
    r"|继续|繼續|下一步|停|等等|明白了?|知道了?|懂了?|收到|了解|没问题|沒問題|哈+|呵+|はい|ありがとう|네|감사합니다|吧|呀|呢|啦|了|的)+"
)
WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
COMMAND = re.compile(r"/[\w-]+(?:\s|$)")


def trivial(prompt: str) -> bool:
    """Whether a prompt is a greeting, an acknowledgement, a slash command or holds no word at all."""
    text = prompt.strip()
    words = [word.casefold() for word in WORDS.findall(text)]
    if not words or COMMAND.match(text):
        return True
    joined = "".join(words)
    if TRIVIAL_CJK.fullmatch(joined):
        return True
    return len(words) <= 6 and all(word in TRIVIAL for word in words) and not ASKING.issuperset(words)
