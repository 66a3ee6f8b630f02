"""Every scenario at every endpoint: played, or not applicable with a reason."""

from __future__ import annotations

import pytest

from tablectl.rehearsal.scenarios.acts import SCENARIOS
from tablectl.rehearsal.scenarios.endpoint import Endpoint
from tablectl.rehearsal.scenarios.endpoints import ENDPOINTS
from tablectl.rehearsal.scenarios.runner import Verdict, run
from tablectl.rehearsal.scenarios.scenario import Scenario

VIRTUAL = [
    pytest.param(scenario, endpoint, id=f"{endpoint.name}-{scenario.name}")
    for endpoint in ENDPOINTS
    if endpoint.virtual
    for scenario in SCENARIOS
]


@pytest.mark.parametrize(("scenario", "endpoint"), VIRTUAL)
def test_a_cell_in_virtual_time(scenario: Scenario, endpoint: Endpoint) -> None:
    cell = run(scenario, endpoint)
    assert cell.verdict is not Verdict.FAILED, cell.why
    assert (cell.verdict is Verdict.NOT_APPLICABLE) == bool(scenario.lacks(endpoint))
