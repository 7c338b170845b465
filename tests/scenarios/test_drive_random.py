"""Whatever happens in a Drive, in whatever order: one tick later the registry is what a full listing gives."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from locator_search.dev.drive_emulator import DriveEmulator
from tests.builders.drive import DriveBench
from tests.builders.registry import all_known

SEEDS = [*range(6), *(pytest.param(seed, marks=pytest.mark.large) for seed in range(6, 80))]
TICKS = 5
ACTIONS_PER_TICK = 10


class Somebody:
    """Does things to a Drive, inside the target folder and elsewhere."""

    def __init__(self, drive: DriveEmulator, target: str, seed: int) -> None:
        self.drive = drive
        self.target = target
        self.random = Random(seed)
        shared = drive.add_shared_drive("共有ドライブ")
        self.folders = [target, drive.add_folder("よそ"), shared, drive.add_folder("下", shared)]
        self.files: list[str] = []
        self.shortcuts: list[str] = []
        self.trashed: list[str] = []
        self.hidden: list[str] = []
        self.done: list[str] = []

    def act(self) -> None:
        """One action, remembered for the message of a failing test."""
        actions: list[Callable[[], None]] = [
            self.add_file,
            self.add_folder,
            self.add_shortcut,
            self.move,
            self.rename,
            self.write,
            self.trash,
            self.untrash,
            self.revoke,
            self.allow,
            self.delete,
        ]
        action = self.random.choice(actions)
        action()
        self.done.append(action.__name__)

    def add_file(self) -> None:
        number = len(self.files)
        self.files.append(self.drive.add_file(f"{number}.txt", f"文書{number}", self.random.choice(self.folders)))

    def add_folder(self) -> None:
        self.folders.append(self.drive.add_folder(f"部{len(self.folders)}", self.random.choice(self.folders)))

    def add_shortcut(self) -> None:
        target = self.random.choice(self.folders + self.files)
        self.shortcuts.append(self.drive.add_shortcut("近道", target, self.random.choice(self.folders)))

    def move(self) -> None:
        moved, into = self.any_item(), self.random.choice(self.folders)
        below = {item.id for item in self.drive.tree.subtree(self.drive.item(moved))}
        if into not in below:
            self.drive.move(moved, into)

    def rename(self) -> None:
        self.drive.rename(self.any_item(), f"名{self.random.randrange(1000)}")

    def write(self) -> None:
        if self.files:
            self.drive.write(self.random.choice(self.files), f"改訂{self.random.randrange(1000)}")

    def trash(self) -> None:
        self.trashed.append(self.any_item())
        self.drive.trash(self.trashed[-1], self.random.choice(["item", "subtree"]))

    def untrash(self) -> None:
        if self.trashed:
            self.drive.untrash(self.trashed.pop(self.random.randrange(len(self.trashed))))

    def revoke(self) -> None:
        self.hidden.append(self.any_item())
        self.drive.revoke(self.hidden[-1])

    def allow(self) -> None:
        if self.hidden:
            self.drive.set_permission(self.hidden.pop(self.random.randrange(len(self.hidden))), None)

    def delete(self) -> None:
        deleted = self.any_item()
        lost = {item.id for item in self.drive.tree.subtree(self.drive.item(deleted))}
        self.drive.delete(deleted)
        for kept in (self.folders, self.files, self.shortcuts, self.trashed, self.hidden):
            kept[:] = [item for item in kept if item not in lost]

    def any_item(self) -> str:
        """Anything but the three folders that are there for good."""
        if not [*self.folders[3:], *self.files, *self.shortcuts]:
            self.add_file()
        return self.random.choice([*self.folders[3:], *self.files, *self.shortcuts])


@pytest.mark.parametrize("seed", SEEDS)
def test_one_tick_later_everything_is_in_its_place(drive: DriveEmulator, drive_bench: DriveBench, seed: int) -> None:
    bench = drive_bench
    somebody = Somebody(drive, bench.target, seed)
    bench.tick()
    for _ in range(TICKS):
        for _ in range(ACTIONS_PER_TICK):
            somebody.act()
        bench.tick()
        listed = {file.file_id: (file.file_name, file.folder_path) for file in bench.source.list_files()}
        known = {
            name: (entry.file.file_name, entry.file.folder_path) for name, entry in all_known(bench.registry).items()
        }
        assert known == listed, somebody.done
        assert bench.agrees_with_a_full_listing(), somebody.done
