"""Small talk: texts that are nothing but a reaction, a greeting or a go-ahead, and ask no memory. English and Chinese."""

from __future__ import annotations

import re

from siltstone.text.normal import fold

LONGEST = 60
_PIECE = re.compile(r"[^\w\s']+")
_SAID = frozenset(
    """
    ok, okay, okey, k, kk, yes, yeah, yep, yup, yea, no, nope, nah, sure, of course, thanks,
    thank you, thank you so much,
    thanks a lot, many thanks, thx, ty, great, cool, nice, good, very good, got it, gotcha,
    alright, all right, right,
    fine, hi, hello, hey, hi there, hello there, bye, goodbye, see you, lol, haha, hahaha, hmm, hm,
    um, uh, uh huh, mhm,
    wow, oh, ah, i see, please, please do, continue, go on, go ahead, carry on, proceed, next,
    stop, done, perfect,
    awesome, excellent, amazing, sounds good, makes sense, no problem, no worries, you're welcome,
    never mind,
    nevermind, good morning, good night, good evening, test, testing, exactly, correct, agreed,
    true, indeed, well, so,
    and, but, then, do it, try again, again, more, yes please, no thanks, no thank you, that's all,
    that's it, nothing,
    好, 好的, 好吧, 好呀, 好啊, 好滴, 嗯, 嗯嗯, 对, 对的, 對, 是, 是的, 是啊, 哦, 噢, 喔, 啊, 可以, 可以的, 没错, 沒錯, 行, 行吧, 谢谢,
    謝謝, 多谢, 多謝, 谢了, 感谢, 感謝, 谢谢你, 謝謝你, 收到, 明白, 明白了, 知道了, 了解, 懂了, 哈哈, 哈哈哈, 呵呵, 嘻嘻,
    你好, 您好, 嗨, 喂,
    再见, 再見, 拜拜, 晚安, 早, 早安, 早上好, 晚上好, 继续, 繼續, 不, 不是, 不用, 不用了, 没有, 沒有, 没事, 沒事, 没问题, 沒問題, 不客气,
    不客氣, 当然, 當然, 太好了, 太棒了, 真的, 真的吗, 原来如此, 原來如此, 这样啊, 算了, 停, 下一个, 再来, 再試試, 再试试, 不对, 不對
    """.replace("\n", " ").split(",")
)
_SAID_WORDS = frozenset(" ".join(said.split()) for said in _SAID)


def is_small_talk(text: str) -> bool:
    """Whether the text is nothing but small talk: each part between marks is. False for blank text and for long ones."""
    if len(text) > LONGEST:
        return False
    pieces = [" ".join(piece.split()) for piece in _PIECE.sub("\n", fold(text)).split("\n")]
    said = [piece for piece in pieces if piece]
    return bool(said) and all(piece in _SAID_WORDS or _words_said(piece) for piece in said)


def _words_said(piece: str) -> bool:
    words = piece.split()
    return len(words) <= 3 and all(word in _SAID_WORDS for word in words)
