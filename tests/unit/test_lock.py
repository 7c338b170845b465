"""The lock files: complete, hashed, fresh, and silent about where the packages were fetched from."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
CONFORMANCE = "tests/conformance/requirements.lock"
EXTRAS = {
    "requirements-dev.lock": ("dev",),
    "requirements-local.lock": ("local",),
    "requirements-login.lock": ("login",),
    "requirements-kubernetes.lock": ("kubernetes",),
    "requirements-huggingface.lock": ("huggingface",),
    CONFORMANCE: ("dev", "langchain", "chroma", "faiss"),
}
LOCKS = ("requirements.lock", *EXTRAS)
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(\[[^\]]*\])?==(?P<version>[^ \\]+)", re.MULTILINE)


def pins(lock: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for match in PIN.finditer((ROOT / lock).read_text("utf-8")):
        found.setdefault(canonicalize_name(match["name"]), set()).add(match["version"])
    return found


def asked_for(lock: str) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lines = [*project["project"]["dependencies"], *project["dependency-groups"]["build"]]
    for extra in EXTRAS.get(lock, ()):
        lines += project["project"]["optional-dependencies"][extra]
    if lock == CONFORMANCE:
        named = (ROOT / lock).with_suffix(".in").read_text("utf-8").splitlines()
        lines += [line for line in named if not line.startswith("#")]
    return [Requirement(line) for line in lines]


def directly_wanted(lock: str) -> set[str]:
    """The pins that the lock says are there because this project asks for them."""
    names, current = set(), ""
    for line in (ROOT / lock).read_text("utf-8").splitlines():
        if match := PIN.match(line):
            current = canonicalize_name(match["name"])
        elif "document-locator" in line or "requirements.in" in line:
            names.add(current)
    return names


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_names_no_host_and_no_machine(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    for trace in ("://", "index-url", "find-links", " @ ", "trusted-host"):
        assert trace not in text
    assert not re.search(r"(^|\s)/[a-z]+/", text), "a path of somebody's machine"


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_hashes(lock: str) -> None:
    entries = re.split(r"\n(?=[A-Za-z0-9])", (ROOT / lock).read_text("utf-8"))
    assert [entry.split()[0] for entry in entries[1:] if "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_is_fresh(lock: str) -> None:
    pinned = pins(lock)
    wanted = asked_for(lock)
    assert directly_wanted(lock) == {canonicalize_name(each.name) for each in wanted}, "run `make lock`"
    for each in wanted:
        for version in pinned[canonicalize_name(each.name)]:
            assert each.specifier.contains(version, prereleases=True), f"run `make lock`: {each} against {version}"


@pytest.mark.parametrize("lock", ["requirements-dev.lock", CONFORMANCE])
def test_the_tools_come_on_top_of_the_very_same_packages(lock: str) -> None:
    development = pins(lock)
    assert {name: development.get(name) for name in pins("requirements.lock")} == pins("requirements.lock")
