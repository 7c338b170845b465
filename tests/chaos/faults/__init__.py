"""Every fault that can be played, by name."""

from collections.abc import Mapping

from tests.chaos.faults import changes, database, kills, services, up
from tests.chaos.scenario import Fault

FAULTS: Mapping[str, Fault] = {
    fault.name: fault for module in (kills, database, services, changes, up) for fault in module.FAULTS
}
