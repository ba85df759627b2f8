"""How code is written here: sizes, parameters, docstrings, names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path for folder in ("src", "tests", "bench", "docs") for path in (ROOT / folder).rglob("*.py"))
SOURCES = [path for path in MODULES if path.is_relative_to(ROOT / "src")]

MODULE_LINES = 400
FUNCTION_LINES = 40
USUAL_LINES = 20
PARAMETERS = 6
VAGUE = re.compile(r"manager|helper|util|advanced|simple", re.IGNORECASE)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def _functions(path: Path) -> Iterator[Function]:
    yield from (node for node in ast.walk(_tree(path)) if isinstance(node, Function))


def _lines(function: Function) -> int:
    """Lines from `def` to the end, the docstring left out: a contract may be as long as it has to be."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def _parameters(function: Function) -> int:
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    starred = [arguments.vararg, arguments.kwarg]
    return len([a for a in named if a.arg not in ("self", "cls")]) + sum(a is not None for a in starred)


def _where(path: Path, node: Function | ast.ClassDef) -> str:
    return f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"


def _public(node: ast.Module | ast.ClassDef, within: bool = False) -> Iterator[tuple[Function | ast.ClassDef, bool]]:
    """Public functions and classes of a module with those in public classes; and whether each is in a class."""
    for child in node.body:
        if isinstance(child, Function | ast.ClassDef) and not child.name.startswith("_"):
            yield child, within
            if isinstance(child, ast.ClassDef):
                yield from _public(child, within=True)


def _contracts() -> set[str]:
    """Names of the methods that a port, or `Memory` for its asynchronous mirror, documents once for all."""
    package = ROOT / "src" / "siltstone"
    modules = [*sorted((package / "ports").glob("*.py")), package / "memory.py"]
    documented = (node.name for path in modules for node, within in _public(_tree(path)) if within)
    return set(documented)


def test_modules_are_short() -> None:
    """No module reaches 400 lines."""
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines()) for path in MODULES}
    assert {path: lines for path, lines in lengths.items() if lines >= MODULE_LINES} == {}


def test_functions_are_short() -> None:
    """No function is longer than 40 lines, and in src nine in ten stay under 20."""
    lengths = {_where(path, function): _lines(function) for path in MODULES for function in _functions(path)}
    assert {where: lines for where, lines in lengths.items() if lines > FUNCTION_LINES} == {}
    usual = [lines for where, lines in lengths.items() if where.startswith("src/")]
    assert sum(lines < USUAL_LINES for lines in usual) >= 0.9 * len(usual)


def test_functions_take_few_parameters() -> None:
    """No function in src takes more than six parameters."""
    counts = {_where(path, function): _parameters(function) for path in SOURCES for function in _functions(path)}
    assert {where: count for where, count in counts.items() if count > PARAMETERS} == {}


def test_what_is_public_states_its_contract() -> None:
    """What is public in src has a docstring; a method whose contract stands in a port needs no second one."""
    silent = [str(path.relative_to(ROOT)) for path in SOURCES if ast.get_docstring(_tree(path)) is None]
    contracts = _contracts()
    for path in SOURCES:
        for node, within in _public(_tree(path)):
            if ast.get_docstring(node) is None and not (within and node.name in contracts):
                silent.append(_where(path, node))
    assert silent == []


def test_every_test_reads_as_a_rule() -> None:
    """Every test, here and in the suites that ship, has a docstring of one sentence."""
    tests = [path for path in MODULES if path.is_relative_to(ROOT / "tests")]
    tests += [path for path in SOURCES if path.is_relative_to(ROOT / "src" / "siltstone" / "testing")]
    rules = {
        _where(path, function): (ast.get_docstring(function) or "").strip()
        for path in tests
        for function in _functions(path)
        if function.name.startswith("test_")
    }
    assert [where for where, rule in rules.items() if not rule.endswith((".", "。")) or "\n\n" in rule] == []


def test_names_say_what_they_name() -> None:
    """No module or class in src has a name that would fit anything."""
    names = [str(path.relative_to(ROOT / "src")) for path in SOURCES if VAGUE.search(path.stem)]
    for path in SOURCES:
        classes = (node for node in ast.walk(_tree(path)) if isinstance(node, ast.ClassDef))
        names += [_where(path, node) for node in classes if VAGUE.search(node.name)]
    assert names == []
