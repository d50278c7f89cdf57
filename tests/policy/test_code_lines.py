"""Code is an instruction that people write; a sentence cut in two is not, however much half of it looks like code."""

from __future__ import annotations

import pytest

from upheld.policy.opening import fault

CODE = (
    "SELECT id, name\nFROM users\nWHERE active = 1;\n",
    "def total(rows):\n    return sum(row.amount for row in rows)\n",
    "git fetch origin\ngit rebase origin/main\n",
    "pip install -e .\npytest -x\n",
    "for row in rows:\n    total += row.amount\n    print(total)\n",
    "const a = 1;\nconst b = a + 2;\n",
    "docker run --rm \\\n  -v $PWD:/src \\\n  image make\n",
    "import os\nimport sys\n",
    "function add(a, b) {\n  return a + b;\n}\n",
    "kubectl rollout status deployment/web\nkubectl rollout undo deployment/web\n",
)
PROSE = (
    "Deploy only\nafter the review.\n",
    "Use the function foo()\nbefore you deploy to the customer.\n",
    "Never push to main (see the\nrunbook) without a review\n",
    "Always set x = 1\nin the configuration file before release.\n",
    "Select the customers\nfrom the list below.\n",
    "Make sure that;\nnothing else happens in the night\n",
    "Run the migration (dry run);\n  then tell the team about it.\n",
    "print(x)\nunless the customer asks for it\n",
    "return to the customer whatever was\npaid by card\n",
    "Lösche den Ordner\nerst nach der Freigabe\n",
)


@pytest.mark.parametrize("text", CODE)
def test_bare_code_may_stand_as_it_is(text: str) -> None:
    assert fault(text) is None


@pytest.mark.parametrize("text", PROSE)
def test_a_sentence_that_was_wrapped_is_still_refused(text: str) -> None:
    found = fault(text)
    assert found is not None
    assert found.code == "POL025"


@pytest.mark.parametrize("text", [text for text in CODE if "\\\n" not in text])
def test_one_line_of_prose_in_it_makes_it_a_paragraph_again(text: str) -> None:
    found = fault(text.rstrip("\n") + "\nand then tell the whole team about it\n")
    assert found is not None
    assert found.code == "POL025"
