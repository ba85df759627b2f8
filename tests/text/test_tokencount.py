"""Rules of the token estimate; the true counts were taken once from the o200k_base vocabulary."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.text.tokencount import estimate_tokens

CHAT = (
    "I quit smoking in March, can you believe it? It's been 12 weeks. Sleeping better, breathing better, and I've saved "
    "about $340 already. Next step: running 5 km without stopping by September."
)
CODE = (
    "function debounce(fn, delayMs = 250) {\n    let timer = null;\n    return (...args) => {\n"
    "        clearTimeout(timer);\n        timer = setTimeout(() => fn.apply(this, args), delayMs);\n    };\n}\n\n"
    "export default debounce;\n"
)
JSON = json.dumps({"用户": "小明", "城市": "杭州", "年龄": 28, "喜欢": ["跑步", "摄影", "喝茶"]}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("text", "true_count"),
    [
        (CHAT, 43),
        (CODE, 52),
        (JSON, 34),
        (
            "项目延期了两周，主要原因是支付接口的联调没有完成。请在周五之前把测试报告发给我，另外数据库的备份策略需要重新评估。",
            40,
        ),
        ("我們上週在台北吃了一家很好吃的牛肉麵，老闆說他們已經開了三十年了。下次你來的時候一定要去試試看。", 46),
        (
            "我们用 FastAPI 重写了 user-service，部署在 Kubernetes 上，p95 从 120ms 降到 45ms。下一步把 Redis 换成 PostgreSQL 16。",
            40,
        ),
        ("So happy today 😂😂 ❤️🎉 see you at 8 👍🏽 bring cake 🍰!!", 21),
    ],
)
def test_the_estimate_is_close(text: str, true_count: int) -> None:
    """The estimate lies between 0.8 and 1.55 of the true count."""
    assert 0.8 * true_count <= estimate_tokens(text) <= 1.55 * true_count


@pytest.mark.parametrize(("text", "expected"), [("", 0), (" \n\t", 0), ("a", 1), ("1234567", 3), ("👍", 3)])
def test_small_texts(text: str, expected: int) -> None:
    """Blank text costs nothing, digits go by threes, an emoji costs three."""
    assert estimate_tokens(text) == expected


@given(st.text(alphabet=st.characters(exclude_categories=[]), max_size=60), st.text(max_size=20))
def test_more_text_costs_no_less(text: str, more: str) -> None:
    """Another line of text never lowers the estimate, whatever the characters."""
    assert estimate_tokens(text + "\n" + more) >= estimate_tokens(text) >= bool(text.strip())


@pytest.mark.parametrize("piece", ["x", "X", "长", ".", " ", "9", "\n", "é😀"])
def test_a_megabyte_is_counted_in_linear_time(piece: str) -> None:
    """No megabyte of anything takes more than three seconds of processor time."""
    before = time.process_time()
    estimate_tokens(piece * (1_000_000 // len(piece)))
    assert time.process_time() - before < 3.0
