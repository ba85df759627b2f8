"""The building blocks of the in-process index."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from siltstone.retrieval.columns import BULK, Column, Matrix, Names, Postings

WORDS = st.lists(st.sampled_from(["tea", "cello", "dog", "猫", "9077"]), max_size=6)


def test_a_column_grows_while_a_view_of_it_is_held() -> None:
    """An append after a view leaves the view as it was and is seen by the next one."""
    column = Column("int32")
    column.extend([1, 2])
    held = column.view
    column.append(3)
    assert held.tolist() == [1, 2] and column.view.tolist() == [1, 2, 3] and len(column) == 3


def test_a_matrix_keeps_its_rows_when_it_grows() -> None:
    """Rows stay in place over several doublings."""
    matrix = Matrix(2)
    for n in range(100):
        assert matrix.extend(np.array([[n, -n]], np.float32)) == n
    assert matrix.view.shape == (100, 2) and matrix.view[57].tolist() == [57, -57]


def test_names_are_numbers_in_order_of_first_sight() -> None:
    """None is -1, an unknown name -2."""
    names = Names()
    assert [names.code(name) for name in ("b", "a", None, "b")] == [0, 1, -1, 0]
    assert names.known("c") == -2 and names.name(1) == "a" and names.name(-1) is None


@given(st.lists(WORDS, min_size=BULK, max_size=BULK + 20))
def test_entering_many_documents_equals_entering_each(documents: list[list[str]]) -> None:
    """The sorted path and the direct one give the same lists."""
    bulk, single = Postings(), Postings()
    bulk.add(5, documents)
    for row, words in enumerate(documents, 5):
        single.add(row, [words])
    for term in ("tea", "cello", "dog", "猫", "9077", "absent"):
        left, right = bulk.rows(term), single.rows(term)
        assert (left is None) == (right is None) and bulk.frequency(term) == single.frequency(term)
        if left is not None and right is not None:
            assert left[0].tolist() == right[0].tolist() and left[1].tolist() == right[1].tolist()


def test_a_retired_row_no_longer_counts() -> None:
    """The frequency of a term is that of live rows."""
    postings = Postings()
    postings.add(0, [["tea", "tea"], ["tea"]])
    postings.retire(["tea", "tea"])
    assert postings.frequency("tea") == 1 and postings.frequency("absent") == 0
