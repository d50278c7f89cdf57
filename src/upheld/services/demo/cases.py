"""All cases, in the order in which they are shown: first what a seal meets, then the rules beneath it."""

from __future__ import annotations

from upheld.services.demo.case import Case
from upheld.services.demo.cases_article import ARTICLE_CASES
from upheld.services.demo.cases_sealed import SEALED_CASES

CASES: tuple[Case, ...] = (*SEALED_CASES, *ARTICLE_CASES)
"""A case whose ``expect`` is empty must be served: a reader that refuses everything would pass all the others."""
