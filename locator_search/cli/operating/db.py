"""`document-locator db`: the tables of the database."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from locator_search.cli.operating.texts import OperatingTexts
from locator_search.cli.shared.output import JsonFlag, console, emit_json, for_operators

app = typer.Typer(
    help="Look after the database: apply, status, graph, forget, reindex, keep, backup, restore.", no_args_is_help=True
)


@app.command()
@for_operators
def apply(json_output: JsonFlag = False) -> None:
    """Bring the tables up to date. Safe to repeat; the embedded database does it by itself.

    Example: document-locator db apply
    """
    from locator_search.app.locator import open_locator

    with open_locator() as locator:
        applied = locator.upkeep.apply()
    if json_output:
        emit_json({"applied": applied})
        return
    texts = OperatingTexts.of(locator.settings.locator_language)
    lines = [texts.db_applied.format(name=name) for name in applied]
    console.print("\n".join(lines or [texts.db_up_to_date]))


@app.command()
@for_operators
def status(json_output: JsonFlag = False) -> None:
    """Show the server, the migrations and how many rows the tables hold.

    Example: document-locator db status --json
    """
    from locator_search.app.locator import open_locator

    with open_locator() as locator:
        schema = locator.upkeep.schema()
    if json_output:
        emit_json(schema)
        return
    texts = OperatingTexts.of(locator.settings.locator_language)
    console.print(
        texts.db_server.format(
            version=schema.server_version,
            place=texts.db_places["embedded" if schema.embedded else "external"],
            size=schema.size_bytes / 1e6,
            model=schema.embedding_model or "–",
            graph=texts.db_graphs[schema.vector_graph],
        ),
        soft_wrap=True,
    )
    for name in schema.applied:
        console.print(texts.db_applied.format(name=name))
    for name in schema.pending:
        console.print(texts.db_pending.format(name=name))
    for table, rows in schema.rows.items():
        console.print(f"{rows:>9,}  {table}")


@app.command()
@for_operators
def graph(json_output: JsonFlag = False) -> None:
    """Build the graph of neighbours that a large index is searched by, if it is missing. Crawls do it by themselves.

    Nothing waits for it; below 300,000 chunks, and for offline vectors, none is needed.

    Example: document-locator db graph
    """
    from locator_search.app.locator import open_locator

    with open_locator() as locator:
        state = locator.upkeep.build_vector_graph()
    if json_output:
        emit_json({"vector_graph": state})
    else:
        texts = OperatingTexts.of(locator.settings.locator_language)
        console.print(texts.db_graph.format(graph=texts.db_graphs[state]))


@app.command()
@for_operators
def forget(json_output: JsonFlag = False) -> None:
    """Forget files that are gone (LOCATOR_FORGET_DAYS) and old runs of Dagster (LOCATOR_HISTORY_DAYS), now.

    The servers do it every day, and so does a crawl.

    Example: document-locator db forget --json
    """
    from locator_assets.instance import open_instance
    from locator_assets.retention import clear_away
    from locator_search.app.locator import open_locator

    with open_locator() as locator, open_instance(locator) as instance:
        done = clear_away(locator, instance)
    if json_output:
        emit_json(done)
        return
    figures = {**asdict(done.forgotten), **asdict(done.history), "crawl_runs": done.crawl_runs}
    console.print(OperatingTexts.of(locator.settings.locator_language).db_forgotten.format(**figures), soft_wrap=True)


@app.command()
@for_operators
def reindex(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    force: Annotated[
        bool,
        typer.Option(
            "--force",
            help="Also where the index belongs to this model: its embeddings are forgotten, and paid again. For a"
            " server that answers for another model under the same name.",
        ),
    ] = False,
    json_output: JsonFlag = False,
) -> None:
    """Take the embeddings of another model out of the index, so that the next crawl makes new ones.

    Words go on finding all files. Texts that were extracted and answers that were paid stay remembered.

    Example: document-locator db reindex --yes
    """
    from locator_search.app.locator import open_locator

    with open_locator() as locator:
        texts = OperatingTexts.of(locator.settings.locator_language)
        made_by, model = locator.upkeep.schema().embedding_model, locator.embedder.model_name
        cleared = 0
        if force or made_by not in (None, model):
            if not yes:
                typer.confirm(texts.db_confirm.format(made_by=made_by, model=model), abort=True, err=True)
            cleared = locator.upkeep.clear_index_of_other_model(model, force=force)
    if json_output:
        emit_json({"former_model": made_by, "model": model, "cleared": cleared})
    elif cleared:
        console.print(texts.db_cleared.format(cleared, model=model))
    else:
        console.print(texts.db_unchanged.format(model=model))


@app.command()
@for_operators
def keep(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A name of yours for the state of now.")] = None,
    drop: Annotated[bool, typer.Option("--drop", help="Remove the state of that name instead.")] = False,
    json_output: JsonFlag = False,
) -> None:
    """Keep the index as it is now, to search it later as it was; without a name, show what is kept.

    `searches --why QUESTION --kept NAME` and the search page compare what a saved search finds there and now. A copy
    takes as much room as the index; crawls and searches go on.

    Example: document-locator db keep before-the-new-model
    """
    from zoneinfo import ZoneInfo

    from locator_search.app.locator import open_locator
    from locator_search.cli.shared.lines import show_line
    from locator_search.core.errors import ConfigurationError
    from locator_search.locales.times import moment

    with open_locator() as locator:
        states = locator.kept_states
        if name is None and drop:
            raise ConfigurationError("--drop needs the name of a state.", hint="`document-locator db keep` shows them.")
        kept = None if name is None else states.drop(name) if drop else states.keep(name, locator.clock.now())
        shown = states.all() if kept is None else [kept]
    if json_output:
        emit_json({"dropped" if drop else "kept": shown})
        return
    settings = locator.settings
    texts, zone = OperatingTexts.of(settings.locator_language), ZoneInfo(settings.locator_time_zone)
    for state in shown:
        when = moment(state.kept_at, zone, settings.locator_language)
        if drop:
            show_line(texts.db_state_dropped.format(name=state.name, when=when))
        else:
            show_line(texts.db_state.format(state.documents, name=state.name, when=when, size=state.bytes / 1e6))
    if not shown:
        show_line(texts.db_no_states)


@app.command()
@for_operators
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The backup to write; private to you.")],
    with_secrets: Annotated[
        bool,
        typer.Option("--with-secrets", help="Also the sign-ins (Google, live services) and the key that signs links."),
    ] = False,
    json_output: JsonFlag = False,
) -> None:
    """Save the whole index to one file, Dagster's records and remembered folders included. / 索引を保存します。

    Crawls and searches go on. Settings and keys in `.env` are not in it.

    Example: document-locator db backup index.backup
    """
    from locator_search.app.locator import open_locator

    with open_locator() as locator:
        report = locator.backup.save(file, with_secrets=with_secrets)
    if json_output:
        emit_json(report)
    else:
        texts = OperatingTexts.of(locator.settings.locator_language)
        saved = texts.db_saved.format(file=file, size=report.bytes / 1e6)
        console.print(saved, texts.db_secrets["with" if with_secrets else "without"], soft_wrap=True)


@app.command()
@for_operators
def restore(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", readable=False, help="A file that `db backup` made, and that you trust.")
    ],
    replace: Annotated[
        bool, typer.Option("--replace", help="Put it in the place of an index that is not empty.")
    ] = False,
    json_output: JsonFlag = False,
) -> None:
    """Make the index what a backup holds, as a whole or not at all. Any user, any LOCATOR_HOME, any database of yours.

    Stop `up` before. A backup is SQL: restore only what you trust.

    Example: document-locator db restore index.backup --replace
    """
    from locator_search.app.locator import open_locator

    with open_locator() as locator:
        report = locator.backup.restore(file, replace=replace)
    if json_output:
        emit_json(report)
    else:
        restored = OperatingTexts.of(locator.settings.locator_language).db_restored
        console.print(restored.format(file=file), soft_wrap=True)
