"""A graph as text that others read: JSON, GraphML, Mermaid, and a picture as SVG. `FORMATS` may be added to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from siltstone.domain.graph import Entity, Relation
from siltstone.domain.values import format_time
from siltstone.errors import InvalidInput
from siltstone.knowledge.lens import Lens
from siltstone.knowledge.library import digraph, rustworkx

SHOWN = 120
"""Nodes that a picture or diagram shows: those with the most edges."""
SIZE, MARGIN = 900, 60
SEED = 7
COLORS = ("#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#9d755d", "#bab0ac")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")

Format = Callable[[Lens], str]


def write(lens: Lens, name: str) -> str:
    """The graph in that format. Raises InvalidInput for one that is not there."""
    if name not in FORMATS:
        raise InvalidInput(f"format cannot be {name!r}; choose one of: {', '.join(FORMATS)}")
    return FORMATS[name](lens)


def as_json(lens: Lens) -> str:
    """{"nodes": […], "edges": […], "statistics": {…}}: each node and edge as its value, absent parts left out."""
    nodes, edges = _whole(lens)
    document = {
        "nodes": [_plain(node) for node in nodes],
        "edges": [_plain(edge) for edge in edges],
        "statistics": {"node_count": len(nodes), "edge_count": len(edges)},
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def as_graphml(lens: Lens) -> str:
    """GraphML 1.0; attributes are one JSON text."""
    nodes, edges = _whole(lens)
    keys = {
        "node": ("type", "name", "content", "attributes", "weight"),
        "edge": ("type", "weight", "attributes", "valid_from", "valid_until"),
    }
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    for what, names in keys.items():
        for name in names:
            kind = "double" if name == "weight" else "string"
            lines.append(f'  <key id="{what}_{name}" for="{what}" attr.name="{name}" attr.type="{kind}"/>')
    lines.append('  <graph edgedefault="directed">')
    for node in nodes:
        lines += [f"    <node id={_attribute(node.id)}>", *_data("node", node, keys["node"]), "    </node>"]
    for edge in edges:
        ends = f"source={_attribute(edge.source)} target={_attribute(edge.target)}"
        lines += [f"    <edge id={_attribute(edge.id)} {ends}>", *_data("edge", edge, keys["edge"]), "    </edge>"]
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


def as_mermaid(lens: Lens) -> str:
    """A Mermaid flowchart of the nodes with the most edges."""
    nodes, edges = _shown(lens)
    places = {node.id: f"n{place}" for place, node in enumerate(nodes)}
    lines = ["graph LR"]
    lines += [f'  {places[node.id]}["{_label(node.name)}"]' for node in nodes]
    lines += [f'  {places[edge.source]} -- "{_label(edge.type)}" --> {places[edge.target]}' for edge in edges]
    return "\n".join(lines) + "\n"


def as_svg(lens: Lens) -> str:
    """A picture of the nodes with the most edges, laid out by springs; the same graph gives the same picture."""
    nodes, edges = _shown(lens)
    numbers = {node.id: number for number, node in enumerate(nodes)}
    graph, _ = digraph(range(len(nodes)), ((numbers[edge.source], numbers[edge.target], edge.weight) for edge in edges))
    layout = rustworkx().spring_layout(graph, seed=SEED, num_iter=200) if nodes else {}
    at = _scaled({place: (float(x), float(y)) for place, (x, y) in layout.items()})
    kinds = sorted({node.type for node in nodes})
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}" font-family="sans-serif" font-size="11">'
    ]
    lines.append(
        '<defs><marker id="a" viewBox="0 0 8 8" refX="14" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="#999"/></marker></defs>'
    )
    for edge in edges:
        (x, y), (u, v) = at[numbers[edge.source]], at[numbers[edge.target]]
        lines.append(f'<line x1="{x}" y1="{y}" x2="{u}" y2="{v}" stroke="#bbb" marker-end="url(#a)"/>')
        lines.append(
            f'<text x="{(x + u) / 2:.0f}" y="{(y + v) / 2:.0f}" fill="#888" font-size="9">{_text(edge.type)}</text>'
        )
    for number, node in enumerate(nodes):
        x, y = at[number]
        color = COLORS[kinds.index(node.type) % len(COLORS)]
        lines.append(f'<circle cx="{x}" cy="{y}" r="7" fill="{color}"><title>{_text(node.id)}</title></circle>')
        lines.append(f'<text x="{x + 10}" y="{y + 4}">{_text(node.name[:40])}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


FORMATS: dict[str, Format] = {"json": as_json, "graphml": as_graphml, "mermaid": as_mermaid, "svg": as_svg}
"""Name → the function that writes it. Add your own: `FORMATS["mine"] = write_mine`."""


def _whole(lens: Lens) -> tuple[list[Entity], list[Relation]]:
    nodes = [lens.entity(number) for number in lens.all_nodes()]
    edges = {edge.id: edge for edge in map(lens.edge, lens.all_edges())}
    for number in lens.all_nodes():
        for step in lens.steps(number, "out"):
            if step.edge < 0:
                bridge = lens.relation(step, number)
                edges[bridge.id] = bridge
    return nodes, list(edges.values())


def _shown(lens: Lens) -> tuple[list[Entity], list[Relation]]:
    """The nodes with the most edges, in order of arrival, and the edges among them."""
    nodes, edges = _whole(lens)
    degrees: dict[str, int] = {}
    for edge in edges:
        for end in (edge.source, edge.target):
            degrees[end] = degrees.get(end, 0) + 1
    chosen = {node.id for node in sorted(nodes, key=lambda node: (-degrees.get(node.id, 0), node.id))[:SHOWN]}
    among = [edge for edge in edges if edge.source in chosen and edge.target in chosen]
    return [node for node in nodes if node.id in chosen], among


def _plain(value: Entity | Relation) -> dict[str, Any]:
    names = type(value).__slots__
    found = {name: getattr(value, name) for name in names}
    told = {name: format_time(item) if hasattr(item, "isoformat") else item for name, item in found.items()}
    return {
        name: list(item) if isinstance(item, tuple) else item
        for name, item in told.items()
        if item not in (None, "", (), {})
    }


def _data(what: str, value: Entity | Relation, names: tuple[str, ...]) -> list[str]:
    told = _plain(value)
    lines = []
    for name in names:
        if name in told:
            text = json.dumps(told[name], ensure_ascii=False) if name == "attributes" else str(told[name])
            lines.append(f'      <data key="{what}_{name}">{_text(text)}</data>')
    return lines


def _scaled(layout: dict[int, tuple[float, float]]) -> dict[int, tuple[int, int]]:
    """The places of a layout on a canvas of SIZE."""
    if not layout:
        return {}
    left, top = min(x for x, _ in layout.values()), min(y for _, y in layout.values())
    wide = max(max(x for x, _ in layout.values()) - left, max(y for _, y in layout.values()) - top, 1e-9)
    scale = (SIZE - 2 * MARGIN) / wide
    return {
        place: (round(MARGIN + (x - left) * scale), round(MARGIN + (y - top) * scale))
        for place, (x, y) in layout.items()
    }


def _text(text: str) -> str:
    return escape(_CONTROL.sub("\ufffd", text))


def _attribute(text: str) -> str:
    return quoteattr(_CONTROL.sub("\ufffd", text))


def _label(text: str) -> str:
    """The text on one line, without what Mermaid would read as syntax."""
    plain = " ".join(_CONTROL.sub("\ufffd", text).split())[:80]
    return (
        plain.replace("&", "&amp;")
        .replace('"', "&quot;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("#", "&#35;")
    )
