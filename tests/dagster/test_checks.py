"""The checks pass on a sound index and fail on what they are for; reconciliation repairs what a sensor cannot see."""

from __future__ import annotations

import shlex
import shutil
from datetime import timedelta

import dagster as dg

from locator_assets.definitions import defs
from locator_assets.drive.findable import report_on_findable_files
from tests.builders.crawl import CrawlBench
from tests.builders.registry import all_known
from tests.dagster.runs import files_with_partitions, said_of_findable_files, settle


def check(bench: CrawlBench, instance: dg.DagsterInstance) -> dict[str, bool]:
    """Run the health job: passed or not, by name of the check."""
    result = defs.resolve_job_def("index_health_job").execute_in_process(
        instance=instance, resources={"parts": bench, "on_result": lambda _result: None}
    )
    return {evaluation.check_name: evaluation.passed for evaluation in result.get_asset_check_evaluations()}


def reconcile(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    defs.resolve_job_def("reconcile_job").execute_in_process(
        instance=instance, resources={"parts": bench, "on_result": lambda _result: None}
    )


def failing(bench: CrawlBench, instance: dg.DagsterInstance) -> set[str]:
    return {name for name, passed in check(bench, instance).items() if not passed}


def run_sql(bench: CrawlBench, statement: str) -> None:
    with bench.database.connection() as connection:
        connection.execute(statement)


def test_every_check_passes_on_a_sound_index(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(5)
    settle(bench, instance)
    results = check(bench, instance)
    assert len(results) == 7
    assert all(results.values()), results


def test_an_index_that_was_never_filled_is_not_fresh(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    assert "index_is_fresh" in failing(bench, instance)


def test_an_index_whose_last_crawl_is_long_ago_is_not_fresh(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(2)
    settle(bench, instance)
    bench.clock.sleep(timedelta(hours=27).total_seconds())
    assert failing(bench, instance) == {"index_is_fresh"}


def test_a_missing_row_is_noticed(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(3)
    settle(bench, instance)
    run_sql(bench, "DELETE FROM drive_file_index WHERE file_name = '報告0001.txt'")
    assert {"row_per_file", "findable_files"} <= failing(bench, instance)


def test_a_vector_that_is_not_of_length_1_is_noticed(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(3)
    settle(bench, instance)
    run_sql(bench, "UPDATE file_chunk SET embedding = embedding + embedding WHERE ordinal = 0")
    assert failing(bench, instance) == {"unit_vectors_of_one_model"}


def test_a_file_the_registry_does_not_know_is_noticed(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(3)
    settle(bench, instance)
    bench.write("新しい.txt", "まだ索引にない")
    assert failing(bench, instance) == {"coverage_equals_listing"}


def test_unreadable_files_are_listed_with_their_reasons(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(2)
    bench.write("壊れた.pdf", "%PDF-1.7 and then nothing")
    settle(bench, instance)
    result = defs.resolve_job_def("index_health_job").execute_in_process(
        instance=instance, resources={"parts": bench, "on_result": lambda _result: None}
    )
    [found] = [one for one in result.get_asset_check_evaluations() if one.check_name == "every_file_readable"]
    assert not found.passed
    assert found.severity is dg.AssetCheckSeverity.WARN
    assert "壊れた.pdf" in str(found.metadata["files"].value)
    assert "corrupt" in str(found.metadata["files"].value)


def test_reconciliation_removes_what_is_gone_and_partitions_without_a_file(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write_many(3)
    settle(bench, instance)
    instance.add_dynamic_partitions("drive_files", ["of a file nobody knows"])
    (bench.folder / "0/報告0000.txt").unlink()
    bench.write("新しい.txt", "まだ索引にない")
    reconcile(bench, instance)
    assert bench.indexed_names() == ["報告0001.txt", "報告0002.txt"]
    assert bench.registry.coverage().by_state == {"indexed": 2, "pending": 1}
    settle(bench, instance)
    assert files_with_partitions(bench, instance) == set(all_known(bench.registry))
    assert failing(bench, instance) == set()


def test_reconciliation_removes_the_last_file_of_a_folder(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write("a.txt", "本文")
    settle(bench, instance)
    (bench.folder / "a.txt").unlink()
    reconcile(bench, instance)
    assert bench.indexed_names() == []


def test_reconciliation_of_an_emptied_folder_deletes_nothing_and_the_check_says_what_to_do(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write_many(25)
    settle(bench, instance)
    shutil.rmtree(bench.folder)
    bench.folder.mkdir()
    reconcile(bench, instance)
    assert len(bench.indexed_names()) == 25
    result = defs.resolve_job_def("index_health_job").execute_in_process(
        instance=instance, resources={"parts": bench, "on_result": lambda _result: None}
    )
    [found] = [one for one in result.get_asset_check_evaluations() if one.check_name == "roots_as_expected"]
    assert not found.passed
    assert found.severity is dg.AssetCheckSeverity.WARN
    assert f"document-locator crawler --confirm-removal {shlex.quote(str(bench.folder))}" in str(
        found.metadata["what_to_do"].value
    )


def test_a_batch_says_whether_its_own_files_are_found(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(5)
    settle(bench, instance)
    said = said_of_findable_files(instance)
    assert said is not None
    assert (said.passed, said.metadata["tried"].value, said.metadata["lost"].value) == (True, 5, 0)


def test_of_a_large_batch_files_at_even_distances_are_tried(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(45)
    settle(bench, instance)
    report_on_findable_files(bench, instance, [known.file for known in all_known(bench.registry).values()])
    said = said_of_findable_files(instance)
    assert said is not None
    assert (said.passed, said.metadata["tried"].value) == (True, 15)


def spoil(bench: CrawlBench, name: str, change: str) -> None:
    """From now on the row of one file is written wrongly."""
    run_sql(
        bench,
        f"""
        CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.file_name = '{name}' THEN {change}; END IF; RETURN NEW; END $$;
        CREATE TRIGGER spoil BEFORE INSERT OR UPDATE ON drive_file_index FOR EACH ROW EXECUTE FUNCTION spoil()
        """,
    )


def mend(bench: CrawlBench) -> None:
    run_sql(bench, "DROP TRIGGER spoil ON drive_file_index; DROP FUNCTION spoil")


def test_a_batch_names_the_file_that_its_first_keyword_does_not_find(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write_many(3)
    spoil(bench, "報告0001.txt", "NEW.keywords := ARRAY['zebra']")
    settle(bench, instance)
    said = said_of_findable_files(instance)
    assert said is not None
    assert not said.passed
    assert said.severity is dg.AssetCheckSeverity.WARN
    assert said.metadata["file_ids"].value == [bench.listed("1/報告0001.txt").file_id]
    assert said.metadata["not_found"].value == "- `報告0001.txt`: keyword"


def test_a_batch_names_the_file_that_its_title_does_not_find(bench: CrawlBench, instance: dg.DagsterInstance) -> None:
    bench.write_many(3)
    run_sql(
        bench,
        """
        CREATE FUNCTION vanish() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN DELETE FROM drive_file_index WHERE file_name = '報告0001.txt'; RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER vanish AFTER INSERT ON drive_file_index DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION vanish()
        """,
    )
    settle(bench, instance)
    said = said_of_findable_files(instance)
    assert said is not None
    assert (said.passed, said.metadata["not_found"].value) == (False, "- `報告0001.txt`: title")


def test_a_later_batch_of_sound_files_does_not_end_the_warning_before_the_file_is_found(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write_many(3)
    spoil(bench, "報告0001.txt", "NEW.keywords := ARRAY['zebra']")
    settle(bench, instance)
    mend(bench)
    bench.write("新しい.txt", "あとから来た文書")
    settle(bench, instance)
    said = said_of_findable_files(instance)
    assert said is not None
    assert (said.passed, said.metadata["tried"].value, said.metadata["lost_before"].value) == (False, 1, 1)
    assert failing(bench, instance) == {"findable_files"}, "nor does the hourly look"
    bench.write("1/報告0001.txt", "書き直した報告")
    settle(bench, instance)
    said = said_of_findable_files(instance)
    assert said is not None
    assert said.passed


def test_a_file_that_was_not_found_and_is_gone_is_missed_no_longer(
    bench: CrawlBench, instance: dg.DagsterInstance
) -> None:
    bench.write_many(3)
    spoil(bench, "報告0001.txt", "NEW.keywords := ARRAY['zebra']")
    settle(bench, instance)
    (bench.folder / "1/報告0001.txt").unlink()
    bench.write("新しい.txt", "あとから来た文書")
    settle(bench, instance)
    assert failing(bench, instance) == set()
