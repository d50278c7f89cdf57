"""Names that some file system takes for one."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from upheld.policy.collide import collisions, folded
from upheld.policy.siblings import MOST, siblings


@given(st.text(max_size=20))
def test_a_name_collides_with_its_other_forms_and_never_with_itself(name: str) -> None:
    assert collisions([name], [name]) == []
    for other in (unicodedata.normalize("NFD", name), unicodedata.normalize("NFC", name)):
        assert folded(other) == folded(name)
        assert collisions([name], [other]) == ([] if other == name else [(name, other)])


def test_new_names_collide_with_each_other() -> None:
    assert collisions(["a.md", "A.md", "b.md"]) == [("A.md", "a.md")]


def test_siblings_are_the_most_alike_and_few() -> None:
    text = "Deploy the billing service before noon."
    others = [(f"k{number}", text) for number in range(9)] + [("far", "Write to customers in Polish.")]
    assert siblings(text, others) == tuple(f"k{number}" for number in range(MOST))
    assert siblings(text, [("far", "Write to customers in Polish.")]) == ()
