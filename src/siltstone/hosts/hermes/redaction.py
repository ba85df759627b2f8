"""Secrets, taken out of what is archived without having been asked to be remembered word by word."""

from __future__ import annotations

import re

MASK = "[redacted]"
NAMED = re.compile(
    r"(?P<name>\b[\w-]*(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)s?"
    r"\b[\"']?\s*(?:[:=]|\bis\b)\s*|(?:密码|密碼|口令|密钥|密鑰|令牌)\s*(?:[:：=]|是|为|為)\s*)(?P<value>[\"']?[^\s\"',;，。；]+)",
    re.IGNORECASE,
)
BEARER = re.compile(r"\b(Bearer|Basic)\s+[\w.~+/=-]{8,}", re.IGNORECASE)
IN_URL = re.compile(r"(?<=://)(?P<user>[^\s:/@]*):[^\s/@]+@")
BLOCK = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
SHAPED = re.compile(
    r"\b(?:sk|pk|rk)[-_](?:[\w]+[-_])*[A-Za-z0-9]{16,}\b|\bgh[pousr]_[A-Za-z0-9]{20,}\b|\bgithub_pat_\w{20,}\b"
    r"|\bxox[abprs]-[\w-]{10,}|\bA(?:KIA|SIA)[A-Z0-9]{16}\b|\bAIza[\w-]{30,}|\bglpat-[\w-]{16,}"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{6,}"
)


def redacted(text: str) -> str:
    """The text with passwords, keys and tokens masked: those that are named, and those known by their form."""
    text = BLOCK.sub(MASK, text)
    text = NAMED.sub(lambda found: found["name"] + MASK, text)
    text = BEARER.sub(rf"\1 {MASK}", text)
    text = IN_URL.sub(lambda found: f"{found['user']}:{MASK}@", text)
    return SHAPED.sub(MASK, text)
