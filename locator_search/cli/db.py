"""`document-locator db`: the tables of the database."""

from __future__ import annotations

from typing import Annotated

import typer

from locator_search.cli.output import JsonFlag, console, emit_json, reports_errors

app = typer.Typer(help="Look after the database: apply, status, graph, reindex.", no_args_is_help=True)


@app.command()
@reports_errors
def apply(json_output: JsonFlag = False) -> None:
    """Bring the tables up to date. Safe to repeat; the embedded database does it by itself.

    Example: document-locator db apply
    """
    from locator_search.app import open_locator

    with open_locator() as locator:
        applied = locator.upkeep.apply()
    if json_output:
        emit_json({"applied": applied})
    elif applied:
        console.print("\n".join(f"applied {name}" for name in applied))
    else:
        console.print("The tables are up to date.")


@app.command()
@reports_errors
def status(json_output: JsonFlag = False) -> None:
    """Show the server, the migrations and how many rows the tables hold.

    Example: document-locator db status --json
    """
    from locator_search.app import open_locator

    with open_locator() as locator:
        schema = locator.upkeep.schema()
    if json_output:
        emit_json(schema)
        return
    console.print(
        f"PostgreSQL {schema.server_version}, {'embedded' if schema.embedded else 'external'},"
        f" {schema.size_bytes / 1e6:.0f} MB, embedding model: {schema.embedding_model or 'none yet'},"
        f" vector graph: {schema.vector_graph}"
    )
    for name in schema.applied:
        console.print(f"applied  {name}")
    for name in schema.pending:
        console.print(f"pending  {name}")
    for table, rows in schema.rows.items():
        console.print(f"{rows:>9,}  {table}")


@app.command()
@reports_errors
def graph(json_output: JsonFlag = False) -> None:
    """Build the graph of neighbours that a large index is searched by, if it is missing. Crawls do it by themselves.

    Nothing waits for it; below 300,000 chunks none is needed.

    Example: document-locator db graph
    """
    from locator_search.app import open_locator

    with open_locator() as locator:
        state = locator.upkeep.build_vector_graph()
    if json_output:
        emit_json({"vector_graph": state})
    else:
        console.print(f"vector graph: {state}")


@app.command()
@reports_errors
def reindex(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    json_output: JsonFlag = False,
) -> None:
    """Empty an index that was made with another embedding model, so that the next crawl builds it again.

    Texts that were extracted and answers that were paid stay remembered.

    Example: document-locator db reindex --yes
    """
    from locator_search.app import open_locator

    with open_locator() as locator:
        made_by, model = locator.upkeep.schema().embedding_model, locator.embedder.model_name
        cleared = 0
        if made_by not in (None, model):
            if not yes:
                typer.confirm(f"Empty the index made with {made_by}, for {model}?", abort=True, err=True)
            cleared = locator.upkeep.clear_index_of_other_model(model)
    if json_output:
        emit_json({"former_model": made_by, "model": model, "cleared": cleared})
    elif cleared:
        console.print(f"{cleared} files were cleared. Run `document-locator crawler` to index them with {model}.")
    else:
        console.print(f"The index belongs to {model} already; nothing was changed.")
