"""What must hold besides the day's figure, a kind a file; each scenario runs in a world of its own."""

from __future__ import annotations

from acceptance.scenarios import session, truth, writing
from acceptance.scenarios.scenario import Scenario

SCENARIOS: tuple[Scenario, ...] = (*truth.SCENARIOS, *writing.SCENARIOS, *session.SCENARIOS)
