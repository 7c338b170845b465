"""Where the files that travel with the product lie: in the checkout, or inside an installed wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def bundled(name: str) -> Path:
    """The path of a bundled file or folder: `sql`, `samples`, `workspace.yaml`, `dagster.yaml`, `glossary.md`."""
    installed = _PACKAGE / "_bundled" / name
    return installed if installed.exists() else _PACKAGE.parent / name


def sample_meetings() -> Path:
    """The archive of sample meetings, which is part of the package itself."""
    return _PACKAGE / "dev" / "sample_meetings"


def sample_posts() -> Path:
    """The recorded sample of X posts, which is part of the package itself."""
    return _PACKAGE / "dev" / "sample_posts" / "posts.json"
