"""Events of many files are written in few statements, and nothing of them is missing."""

from __future__ import annotations

import dagster as dg
import pytest
import sqlalchemy
from dagster._core.events import AssetMaterializationPlannedData, AssetObservationData, StepMaterializationData
from dagster._serdes import serialize_value

from locator_assets.staged.writing import store, written
from locator_search.indexing.stages import STAGES

FILES = [f"file-{number}" for number in range(40)]


def planned(stage: str, partition: str) -> dg.DagsterEvent:
    data = AssetMaterializationPlannedData(dg.AssetKey(stage), partition=partition)
    return dg.DagsterEvent.build_asset_materialization_planned_event("index_files_job", "index_files", data)


def made(stage: str, partition: str) -> dg.DagsterEvent:
    made = dg.AssetMaterialization(stage, partition=partition, metadata={"of": partition}, tags={"by": stage})
    return dg.DagsterEvent(
        dg.DagsterEventType.ASSET_MATERIALIZATION.value,
        "index_files_job",
        event_specific_data=StepMaterializationData(made),
    )


def test_every_asset_has_every_partition_and_its_last_one_and_the_statements_do_not_grow_with_the_files(
    stored_instance: dg.DagsterInstance,
) -> None:
    statements: list[str] = []
    engine = stored_instance.event_log_storage._engine  # type: ignore[attr-defined]
    sqlalchemy.event.listen(engine, "before_cursor_execute", lambda *told: statements.append(told[2]))
    events = [planned(STAGES[0], file) for file in FILES] + [made(stage, file) for file in FILES for stage in STAGES]
    store(stored_instance, "a run", events)
    inserts = [statement for statement in statements if "INSERT INTO event_logs" in statement]
    assert len(inserts) == 1
    assert len(statements) <= 10, statements
    for stage in STAGES:
        key = dg.AssetKey(stage)
        assert stored_instance.get_materialized_partitions(key) == set(FILES)
        last = stored_instance.get_latest_materialization_event(key)
        assert last is not None
        assert last.asset_materialization is not None
        assert last.asset_materialization.partition == FILES[-1]
        assert last.asset_materialization.tags == {"by": stage}
    order = stored_instance.event_log_storage.get_logs_for_run("a run")
    kinds = [entry.get_dagster_event().event_type_value for entry in order]
    assert kinds == sorted(kinds, key=lambda kind: "PLANNED" not in kind), "else the UI takes all of them for failed"


METADATA = {
    "text": dg.MetadataValue.text('第1号 "報告書"\n\\ \x00 \ud800 🎉'),
    "url": dg.MetadataValue.url("http://127.0.0.1:8501/status?file=local%3A1"),
    "int": dg.MetadataValue.int(2**40),
    "float": dg.MetadataValue.float(0.1),
    "bool": dg.MetadataValue.bool(True),
}
EVENTS = {
    "nothing of its own": dg.AssetMaterialization(STAGES[0]),
    "everything": dg.AssetMaterialization(
        STAGES[1], partition="報告.txt · 営業", metadata=METADATA, tags={"dagster/data_version": "1", "by": ""}
    ),
    "no values": dg.AssetMaterialization(STAGES[1], metadata={"x": dg.MetadataValue.bool(False)}, partition=""),
    "a table": dg.AssetMaterialization(STAGES[2], metadata={"x": dg.MetadataValue.md("| a |"), **METADATA}),
    "a tuple of names": dg.AssetMaterialization(dg.AssetKey(["a", "b"]), partition="p", metadata=METADATA),
}


@pytest.mark.parametrize("made", EVENTS.values(), ids=EVENTS)
@pytest.mark.parametrize("step", ["index_files", None])
def test_a_materialisation_is_written_as_dagster_writes_it(made: dg.AssetMaterialization, step: str | None) -> None:
    event = dg.DagsterEvent(
        dg.DagsterEventType.ASSET_MATERIALIZATION.value,
        "a job",
        step_key=step,
        event_specific_data=StepMaterializationData(made),
    )
    entry = dg.EventLogEntry(None, 20, "", "a run", 1795905117.74, step, "a job", event)  # type: ignore[no-untyped-call]
    assert written(entry) == serialize_value(entry)


def test_any_other_event_is_written_by_dagster() -> None:
    observed = dg.DagsterEvent(
        dg.DagsterEventType.ASSET_OBSERVATION.value,
        "a job",
        event_specific_data=AssetObservationData(dg.AssetObservation(STAGES[0], metadata=METADATA)),
    )
    for event in (observed, planned(STAGES[0], "p")):
        entry = dg.EventLogEntry(None, 20, "", "a run", 1.0, None, "a job", event)  # type: ignore[no-untyped-call]
        assert written(entry) == serialize_value(entry)


def test_a_row_is_that_of_dagster(stored_instance: dg.DagsterInstance) -> None:
    """All but its number, its run and its time."""
    event = dg.DagsterEvent(
        dg.DagsterEventType.ASSET_MATERIALIZATION.value,
        "a job",
        step_key="a step",
        event_specific_data=StepMaterializationData(EVENTS["everything"]),
    )
    told = (None, 20, "", "theirs", 1795905117.74, "a step", "a job", event)
    store(stored_instance, "ours", [event])
    storage = stored_instance.event_log_storage
    storage.store_event(dg.EventLogEntry(*told))  # type: ignore[no-untyped-call]
    with storage._engine.connect() as connection:  # type: ignore[attr-defined]
        rows = [
            dict(row._mapping) for row in connection.execute(sqlalchemy.text("SELECT * FROM event_logs ORDER BY id"))
        ]
    ours, theirs = ({name: row[name] for name in row.keys() - {"id", "run_id", "timestamp", "event"}} for row in rows)
    assert ours == theirs
