"""Checks each part of the product at the moment of asking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from locator_search.app.ledger import langsmith_records
from locator_search.config.readers import groups_of
from locator_search.core.errors import AccessDenied, LocatorError
from locator_search.health.alarms import AlarmTexts, alarms
from locator_search.health.live import service_parts
from locator_search.health.models import chat_model_part, embedding_model_part
from locator_search.health.root_texts import notice
from locator_search.health.texts import PartsTexts
from locator_search.locales import Language
from locator_search.locales.said import error_in_words
from locator_search.ports import PartStatus

if TYPE_CHECKING:
    from locator_search.app.locator import Locator


ABOUT_ALL_FILES = ("index", "alarms", "permissions")
"""Parts told in figures about all files. That somebody may not see these is no fault of the part."""
MOST_NAMED = 5
"""Groups that are told by name."""
Test = Callable[["Locator", PartsTexts], PartStatus]


def examine(locator: Locator, language: Language, *, ask_services: bool = False) -> list[PartStatus]:
    """One status per part, in a language; a part that fails is reported with its sentence and hint, never raised."""
    texts = PartsTexts.of(language)
    found = [_tried(name, test, locator, texts) for name, test in _tests(locator)]
    try:
        return found + service_parts(locator, texts, ask=ask_services)
    except LocatorError as error:  # servers.yaml cannot be used
        return [*found, PartStatus("live", "failing", *error_in_words(error, language))]


def _tests(locator: Locator) -> Iterator[tuple[str, Test]]:
    yield "database", _database
    yield "source", _source
    yield "chat_model", chat_model_part
    yield "embedding_model", embedding_model_part
    yield "index", _index
    yield "alarms", _alarms
    yield "contributions", _contributions
    yield "x", _x
    if locator.settings.locator_permissions:
        yield "permissions", _permissions
    if langsmith_records():
        yield "tracing", _tracing


def _tried(name: str, test: Test, locator: Locator, texts: PartsTexts) -> PartStatus:
    try:
        return test(locator, texts)
    except LocatorError as error:
        if isinstance(error, AccessDenied) and name in ABOUT_ALL_FILES:
            return PartStatus(name, "for_administrators", *error_in_words(error, texts.language))
        return PartStatus(name, "failing", *error_in_words(error, texts.language))


def _database(locator: Locator, texts: PartsTexts) -> PartStatus:
    version = locator.database.server_version()
    if locator.database.replica is not None:
        locator.database.replica.server_version()
    if locator.database.embedded:
        detail = texts.database_embedded.format(version=version)
        return PartStatus("database", "embedded", detail, texts.use_own_database)
    return PartStatus("database", "real", texts.database_external.format(version=version))


def _source(locator: Locator, texts: PartsTexts) -> PartStatus:
    name = locator.source.name
    if locator.settings.uses_google_drive:
        return PartStatus("source", "real", f"{name}: {', '.join(locator.drive_folders())}")
    missing = [str(folder) for folder in locator.folders if not folder.is_dir()]
    if missing:
        detail = texts.no_such_folder.format(folders=", ".join(missing))
        return PartStatus("source", "missing", detail, texts.name_existing_folders)
    return PartStatus("source", "real", f"{name}: {', '.join(str(folder) for folder in locator.folders)}")


def _index(locator: Locator, texts: PartsTexts) -> PartStatus:
    status = locator.status_reader.status()
    indexed = status.coverage.by_state.get("indexed", 0)
    if not indexed:
        return PartStatus("index", "missing", texts.no_index, texts.run_crawler)
    detail = texts.index.format(files=indexed, chunks=status.chunks, model=status.embedding_model)
    return PartStatus("index", "real", detail)


def _alarms(locator: Locator, texts: PartsTexts) -> PartStatus:
    status, runs = locator.status_reader.status(), locator.status_reader.runs()
    found = alarms(status, runs, locator.budget.ceiling_usd, locator.clock.now(), texts.language)
    if not found:
        return PartStatus("alarms", "real", AlarmTexts.of(texts.language).nothing)
    return PartStatus("alarms", "failing", " ".join(alarm.message for alarm in found))


def _contributions(locator: Locator, texts: PartsTexts) -> PartStatus:
    from locator_search.contributions.acquisition import find_meetings

    parts = locator.contributions
    converter = texts.with_converter if parts.converter.available else texts.without_converter
    if parts.uses_sample:
        return PartStatus("contributions", "offline", f"{texts.sample_meetings}, {converter}", texts.name_an_archive)
    archive = parts.open_archive(patient=False)
    meetings = texts.meetings.format(archive=archive.name, count=len(find_meetings(archive)))
    archive.close()
    return PartStatus("contributions", "real", f"{meetings}, {converter}")


def _x(locator: Locator, texts: PartsTexts) -> PartStatus:
    """The state of X search by its settings alone, because every request costs."""
    settings = locator.settings
    if not settings.uses_x:
        return PartStatus("x", "offline", texts.sample_posts, texts.name_x_key)
    spent, cap = f"{locator.x_search.meter.this_month():.2f}", f"{settings.x_monthly_cap_usd:.2f}"
    return PartStatus("x", "real", texts.x.format(spent=spent, cap=cap))


def _permissions(locator: Locator, texts: PartsTexts) -> PartStatus:
    """Whom the lists of readers let in, as far as groups are known. For administrators, as all figures are."""
    locator.database.refuse_figures()
    named = {f"group:{name}" for name in groups_of(locator.settings)}
    unknown = [name.partition(":")[2] for name in locator.groups.unknown() if name not in named]
    detail = texts.read_by_nobody.format(count=locator.groups.unread_files())
    wrong = [notice(one, texts.language).message for one in locator.root_warnings() if one.kind == "rules"]
    if unknown:
        wrong.append(texts.groups_unknown.format(groups=", ".join(unknown[:MOST_NAMED]), count=len(unknown)))
    if wrong:
        return PartStatus("permissions", "failing", " ".join([*wrong, detail]), texts.name_members if unknown else "")
    return PartStatus("permissions", "real", detail)


def _tracing(_: Locator, texts: PartsTexts) -> PartStatus:
    return PartStatus("tracing", "real", texts.langsmith, texts.switch_langsmith_off)
