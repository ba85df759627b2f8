"""Cues that something came to an end or is otherwise now: what a later statement on a topic takes back without denying.

They count between two statements of one chain only: there, "I've stopped" is about what the earlier one said.
"""

from __future__ import annotations

import re

_ENGLISH = r"""
    \b(?:
        (?:has|have|'ve|had)\s+(?:now\s+|just\s+|finally\s+)?(?:stopped|quit|ended|given\s+up|lost|left|sold|retired|healed)
      | (?:i|we|he|she|they)\s+(?:finally\s+)?(?:stopped|quit|gave\s+up|dropped|sold|cancelled|canceled|resigned|ended)
      | (?:no|not\s+any)\s+(?:longer|more)\b | any\s?more\b | given\s+up | gave\s+up | called\s+off | broke\s+up | split\s+up
      | (?:shut|closed)\s+(?:\w+\s+){0,3}down | moved\s+(?:away|out|back|from) | made\s+up\b | fell\s+out
      | switched\s+(?:to|from) | changed\s+(?:to|from|my\s+mind) | went\s+back\s+to | back\s+to
      | (?:is|are|was|were|'s|'re)\s+(?:gone|over|finished|cured|dead|closed|cancelled)
      | turns\s+out | turned\s+out | it\s+was\s+actually | actually\s+only | only\s+\w+,?\s+(?:the|it)\s
      | instead\s+of | rather\s+than | (?:these\s+days|nowadays)\s*[,.]?$ | these\s+days\b
      | (?:don't|do\s+not|doesn't|can't|won't)\s+(?:\w+\s+){0,4}(?:now|again)\b
      | used\s+to\b | started\s+(?:\w+ing\s+)?(?:\w+\s+){0,2}again | (?:i|we)\s+\w+\s+(?:\w+\s+){0,2}again\b
      | (?:is|was|got|been)\s+(?:broken|moved|postponed|replaced|withdrawn|cured|healed)
      | now\s+(?:i|we|it|he|she|they|it's|i'm)\b | \bnow\s+have\b | have\s+now\b | isn't\b.*\bnow\b
      | happier\s+(?:alone|without) | instead\b
    )
"""
_CHINESE = (
    "不再|再也不|戒了|戒掉|戒酒|戒烟|放弃|停了|停掉|不[^，。]{1,4}了|没[^，。]{0,3}了|改[成到为喝吃用]|换[成了到]|搬[走离出回]|卖[了掉]|"
    "离开|分手|和好|总算不|不干了|转让|关[了掉]|取消|辞[了职]|结束|现在[^，。]{0,6}[要改不]|其实(?:才|是|只)|原来(?:才|是)|"
    "通了|只要|恢复|痊愈|治好|回来了|退[了掉出]|毕业|不用了|送人|送走"
)
_END = re.compile(f"(?:{_ENGLISH})|(?:{_CHINESE})", re.IGNORECASE | re.VERBOSE)


def marks_change(text: str) -> bool:
    """Whether the text says that something ended, or is now otherwise than it was."""
    return bool(_END.search(text.replace("’", "'")))
