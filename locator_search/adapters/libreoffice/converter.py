"""Runs LibreOffice without its window, one process per file.

LibreOffice reports success for random bytes, for nothing and for a missing file, so what goes in is looked at before
and what comes out after. Each job has a profile of its own (two jobs on one profile fail) and is a process group of its
own: killing the process we started would leave the real one, its child, running.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from threading import Semaphore
from typing import Literal

from olefile import MAGIC

from locator_search.adapters.extractors.limited_zip import DAMAGE
from locator_search.core.child_environment import bare_environment
from locator_search.core.errors import ConfigurationError, UnreadableFile, UnsupportedFileType
from locator_search.core.temporary import temporary_folder

try:
    import resource
except ImportError:  # outside Unix nothing limits its memory
    resource = None  # type: ignore[assignment]

TIMEOUT_SECONDS = 60.0
AT_ONCE = 2
_MEMORY_BYTES = 4 * 1024**3
_OUTPUT_BYTES = 512 * 1024**2
_PROGRAMS = ("soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice")
_FILTERS = {"docx": "docx:MS Word 2007 XML", "pdf": "pdf:writer_pdf_Export"}
_BEGINS = {"docx": b"PK\x03\x04", "pdf": b"%PDF-"}
_ODT = b"application/vnd.oasis.opendocument.text"

# Documents are hostile: no macros, and nothing is fetched that they link to.
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution"
 oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel"
 oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks"
 oor:op="fuse"><value>true</value></prop></item>
</oor:items>
"""


class LibreOfficeConverter:
    """A `Converter`. Thread-safe; at most `AT_ONCE` conversions run at the same time."""

    def __init__(self, program: str | None = None, timeout: float = TIMEOUT_SECONDS) -> None:
        candidates = (program,) if program is not None else _PROGRAMS
        self._program = next((found for name in candidates if (found := shutil.which(name))), None)
        self._timeout = timeout
        self._turns = Semaphore(AT_ONCE)

    @property
    def available(self) -> bool:
        """Whether LibreOffice is installed."""
        return self._program is not None

    @property
    def version(self) -> str:
        """The version of the conversion; `none` without LibreOffice, so that files are converted once it is there."""
        return "libreoffice-1" if self.available else "none"

    def convert(self, path: Path, to: Literal["docx", "pdf"], directory: Path) -> Path:
        """The converted file, in `directory`.

        Raises UnsupportedFileType for what is neither Word, RTF nor OpenDocument text, UnreadableFile when LibreOffice
        fails, takes longer than allowed, or makes nothing, ConfigurationError when it is not installed.
        """
        if self._program is None:
            raise ConfigurationError("LibreOffice is not installed.", hint="Install libreoffice-writer, or do without.")
        suffix = _suffix_by_content(path)
        with self._turns, temporary_folder("office") as job:
            source = Path(job) / "in" / f"document{suffix}"
            source.parent.mkdir()
            shutil.copyfile(path, source)
            made = self._run(self._program, source, to, Path(job))
            target = directory / f"{path.stem}.{to}"
            shutil.move(made, target)
        return target

    def _run(self, program: str, source: Path, to: Literal["docx", "pdf"], job: Path) -> Path:
        profile = job / "profile"
        (profile / "user").mkdir(parents=True)
        (profile / "user" / "registrymodifications.xcu").write_text(_PROFILE, encoding="utf-8")
        command = [program, f"-env:UserInstallation={profile.as_uri()}", "--headless", "--norestore", "--nolockcheck"]
        command += ["--nodefault", "--convert-to", _FILTERS[to], "--outdir", str(job / "out"), str(source)]
        process = subprocess.Popen(  # noqa: S603 - a program of this machine, arguments of our own
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_environment(job),
            cwd=job,
            start_new_session=True,
        )
        try:
            _limit(process.pid)
            process.wait(self._timeout)
        except subprocess.TimeoutExpired:
            raise UnreadableFile(f"LibreOffice took longer than {self._timeout:g} seconds.") from None
        finally:
            _end_group(process)
        made = job / "out" / f"{source.stem}.{to}"
        if not made.is_file() or not made.read_bytes()[:8].startswith(_BEGINS[to]):
            raise UnreadableFile(f"LibreOffice made no {to} of the file.")
        return made


def _suffix_by_content(path: Path) -> str:
    with path.open("rb") as stream:
        head = stream.read(8)
    if head.startswith(MAGIC):
        return ".doc"
    if head.startswith(b"{\\rtf"):
        return ".rtf"
    if head.startswith(b"PK\x03\x04"):
        with contextlib.suppress(*DAMAGE, KeyError), zipfile.ZipFile(path) as container:
            if any(name.startswith("word/") for name in container.namelist()):
                return ".docx"
            with container.open("mimetype") as stream:
                if stream.read(len(_ODT) + 1) == _ODT:
                    return ".odt"
    raise UnsupportedFileType("The file is no Word, RTF or OpenDocument text; LibreOffice is not asked.")


def _environment(job: Path) -> dict[str, str]:
    """Nothing of ours: no keys, no settings, no display."""
    return bare_environment(HOME=str(job), TMPDIR=str(job))


def _limit(process_id: int) -> None:
    prlimit: Callable[..., object] | None = getattr(resource, "prlimit", None)
    if prlimit is None:
        return
    for name, value in (("RLIMIT_AS", _MEMORY_BYTES), ("RLIMIT_FSIZE", _OUTPUT_BYTES), ("RLIMIT_CORE", 0)):
        with contextlib.suppress(OSError, ValueError):  # it may have ended already
            prlimit(process_id, getattr(resource, name), (value, value))


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """The process and everything it started; a group that has ended already is no error."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
