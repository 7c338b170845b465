"""One file that holds an index: the database, and what lies beside it in the home and cannot be made again.

A ZIP: `backup.json` says what made it, `database.sql` is the database at one moment, `home/` holds small files.
"""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from time import monotonic, sleep
from typing import IO, Any

from locator_search.adapters.postgres.server.database import Database
from locator_search.adapters.postgres.server.dump import (
    dropping,
    dumped,
    holds_anything,
    restored,
    schemas_of_ours,
)
from locator_search.adapters.postgres.server.migrations import migrate, refuse_unknown, schema_checksums
from locator_search.adapters.postgres.server.statements import statements
from locator_search.core.disk import full_disk, is_full
from locator_search.core.errors import ConfigurationError, StoreError
from locator_search.ports import BackupReport

SQL = statements(__name__)

FORMAT = 1
MANIFEST, DATABASE, HOME = "backup.json", "database.sql", "home/"
KEPT = ("folders.json", "synonyms.txt")
KEPT_FOLDER, SECRET_FOLDER = "servers.d", "live_tokens"
SECRETS = ("link_secret", "google_token.json")
LEAVING_SECONDS = 5.0


class PostgresBackup:
    """Saves and restores the database and the home that belongs to it."""

    def __init__(self, database: Database, home: Path) -> None:
        self._database = database
        self._home = home

    def save(self, file: Path, *, with_secrets: bool = False) -> BackupReport:
        """Write a backup, private to its owner, that is there as a whole or not at all. Crawls and searches go on.

        Raises StoreError and ConfigurationError.
        """
        with _written_whole(file) as draft, self._database.connect() as connection:
            names = self._kept(with_secrets=with_secrets)
            manifest = {
                "format": FORMAT,
                "version": version("document-locator"),
                "migrations": schema_checksums(connection),
                "schemas": schemas_of_ours(connection),
                "files": names,
                "secrets": with_secrets,
            }
            with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
                archive.writestr(MANIFEST, json.dumps(manifest, indent=2))
                with archive.open(DATABASE, "w", force_zip64=True) as member:
                    for block in dumped(self._database.url, schemas_of_ours(connection)):
                        member.write(block)
                for name in names:
                    archive.write(self._home / name, HOME + name)
        return BackupReport(file, file.stat().st_size, tuple(names))

    def restore(self, file: Path, *, replace: bool = False) -> BackupReport:
        """Make database and home what the backup holds, as a whole or not at all.

        Raises ConfigurationError for a file that is no backup and for an index that is not empty without `replace`,
        SchemaOutOfDate for a backup of a newer program, and StoreError.
        """
        with _opened(file) as (archive, manifest):
            refuse_unknown(manifest["migrations"])
            migrate(self._database)  # so that the extension is there, and everything else is known
            with self._database.connect() as connection:
                self._refuse_use(connection)
                if not replace and holds_anything(connection):
                    raise ConfigurationError(
                        "The index is not empty, and nothing was restored.",
                        hint="Add --replace to put the backup in its place, or set another LOCATOR_HOME.",
                    )
                drop = dropping(connection)
            self._database.close_connections()
            with archive.open(DATABASE) as lines:
                restored(self._database.url, lines, drop)
            migrate(self._database)
            names = [str(name) for name in manifest["files"]]
            for name in names:
                self._put_back(name, archive.read(HOME + name), replace=replace)
        return BackupReport(file, file.stat().st_size, tuple(names))

    def _kept(self, *, with_secrets: bool) -> list[str]:
        folders = (KEPT_FOLDER, SECRET_FOLDER) if with_secrets else (KEPT_FOLDER,)
        own = [f"{name}/{path.name}" for name in folders for path in sorted((self._home / name).glob("[!.]*"))]
        return [name for name in (*KEPT, *own, *(SECRETS if with_secrets else ())) if (self._home / name).is_file()]

    def _put_back(self, name: str, content: bytes, *, replace: bool) -> None:
        folder, _, file = name.partition("/")
        allowed = name in KEPT + SECRETS or (folder in (KEPT_FOLDER, SECRET_FOLDER) and Path(file).name == file != "")
        path = self._home / name
        if not allowed or (path.exists() and not replace):
            return
        path.parent.mkdir(mode=0o700, exist_ok=True)
        draft = path.with_name(f".{path.name}.restored")
        draft.touch(mode=0o600)
        draft.write_bytes(content)
        draft.replace(path)

    def _refuse_use(self, connection: Any) -> None:
        """A connection that was just closed, our own included, is seen for a moment longer."""
        deadline = monotonic() + LEAVING_SECONDS
        while self._database.embedded and (others := connection.execute(SQL.others).fetchone()[0]):
            if monotonic() > deadline:
                raise StoreError(
                    f"The index is in use (other connections: {others}).",
                    hint="Stop `up` and every crawl, then try again.",
                )
            sleep(0.1)


@contextmanager
def _written_whole(file: Path) -> Iterator[IO[bytes]]:
    """A draft beside the file that takes its name at the end."""
    draft = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        draft.touch(mode=0o600)
        with draft.open("wb") as opened:
            yield opened
            opened.flush()
            os.fsync(opened.fileno())
        draft.replace(file)
    except OSError as error:
        if is_full(error):
            raise StoreError(*full_disk(file)) from None
        raise ConfigurationError(
            f"The backup cannot be written to {file}: {error.strerror}.", hint="Name a file in a folder of yours."
        ) from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


@contextmanager
def _opened(file: Path) -> Iterator[tuple[zipfile.ZipFile, dict[str, Any]]]:
    """A backup and what it says of itself."""
    try:
        with zipfile.ZipFile(file) as archive:
            manifest = json.loads(archive.read(MANIFEST))
            if manifest["format"] != FORMAT:
                raise ConfigurationError(
                    f"{file} was made by document-locator {manifest['version']}, in a form this version does not read.",
                    hint="Restore it with that version or a newer one.",
                )
            yield archive, manifest
    except OSError as error:
        if is_full(error):
            raise StoreError(*full_disk(error.filename or file)) from None
        raise ConfigurationError(
            f"{file} cannot be read: {error.strerror}.", hint="Check its name and who owns it."
        ) from None
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, EOFError) as error:
        raise ConfigurationError(
            f"{file} is not a whole backup of this program ({type(error).__name__}).",
            hint="Name a file that `document-locator db backup` made; nothing was changed.",
        ) from None
