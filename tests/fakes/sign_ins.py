"""Sign-ins of one process, unsealed."""

from __future__ import annotations


class MemorySignIns(dict[str, str]):
    """SignIns that nobody else has."""

    def read(self, service: str) -> str:
        return self.get(service, "")

    def keep(self, service: str, content: str) -> None:
        self[service] = content

    def forget(self, service: str) -> None:
        self.pop(service, None)

    def take_turn(self, service: str) -> bool:
        return True

    def end_turn(self, service: str) -> None:
        pass
