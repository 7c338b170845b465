"""Slots and locks hold over processes and are freed by a death."""

from __future__ import annotations

import signal
import statistics
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from locator_search.adapters.postgres import Database, PostgresDaemonTurn, PostgresFileLocks, PostgresRequestSlots
from locator_search.core.clock import deadline
from locator_search.core.errors import DeadlinePassed
from tests.builders.waiting import wait_until

WORKERS = """
import sys, threading, time
from locator_search.adapters.postgres import Database, PostgresRequestSlots
database = Database(sys.argv[1])
slots = PostgresRequestSlots(database)

def work():
    for _ in range(int(sys.argv[2])):
        with slots.slot("model"), database.connection() as connection:
            connection.execute("INSERT INTO trace VALUES (1)")
            while connection.execute(sys.argv[3]).fetchone()[0] < 5:  # who comes early waits for five to be there
                time.sleep(0.01)
            time.sleep(0.02)
            connection.execute("INSERT INTO trace VALUES (-1)")

threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""

HOLDS_ALL_SLOTS_AND_A_LOCK = """
import sys, time
from contextlib import ExitStack
from locator_search.adapters.postgres import Database, PostgresFileLocks, PostgresRequestSlots
database = Database(sys.argv[1])
slots, locks = PostgresRequestSlots(database), PostgresFileLocks(database)
with ExitStack() as stack:
    for _ in range(5):
        stack.enter_context(slots.slot("model"))
    stack.enter_context(locks.hold("file-1"))
    print("held", flush=True)
    time.sleep(250)
"""


def started(program: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=Path.cwd(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_never_more_than_five_requests_are_in_flight_over_two_processes(database: Database, database_url: str) -> None:
    with database.connection() as connection:
        connection.execute("CREATE TABLE trace (change int, id bigint GENERATED ALWAYS AS IDENTITY)")
    in_flight = "SELECT sum(change) OVER (ORDER BY id) FROM trace"
    most_so_far = f"SELECT max(sum), count(*) FROM ({in_flight}) AS t (sum)"
    processes = [started(WORKERS, database_url, "12", most_so_far) for _ in range(2)]
    assert [process.wait(200) for process in processes] == [0, 0]
    with database.connection() as connection:
        assert connection.execute(most_so_far).fetchone() == (5, 2 * 2 * 4 * 12)


BUSY = """
import sys, threading, time
from locator_search.adapters.postgres import Database, PostgresRequestSlots
database = Database(sys.argv[1])
slots = PostgresRequestSlots(database)

def work():
    while True:
        with slots.slot("model"):
            with database.connection() as connection:
                connection.execute("SELECT nextval('served')")
            time.sleep(0.1)

for _ in range(20): threading.Thread(target=work, daemon=True).start()
sys.stdin.read()
"""


def test_a_question_does_not_starve_beside_a_crawl(database: Database, database_url: str) -> None:
    def served() -> int:
        with database.connection() as connection:
            row = connection.execute("SELECT last_value FROM served").fetchone()
        assert row is not None
        return int(row[0])

    with database.connection() as connection:
        connection.execute("CREATE SEQUENCE served")
    crawl = started(BUSY, database_url)
    wait_until(lambda: served() > 5)
    slots = PostgresRequestSlots(database)
    before: list[int] = []
    for _ in range(5):
        asked_at = served()
        with slots.slot("model"):
            before.append(served() - asked_at)
    assert crawl.poll() is None
    assert statistics.median(before) <= 20, "of those who came before it, and no more"
    crawl.kill()
    crawl.wait()


def test_two_services_do_not_share_slots(database: Database) -> None:
    slots = PostgresRequestSlots(database)
    with slots.slot("a"), slots.slot("a"), slots.slot("a"), slots.slot("a"), slots.slot("a"), slots.slot("b"):
        pass


def test_a_service_has_as_many_slots_as_the_setting_says(database: Database) -> None:
    slots, fewer = PostgresRequestSlots(database, 7), PostgresRequestSlots(database, 1)
    with ExitStack() as held:
        for _ in range(7):
            held.enter_context(slots.slot("model"))
        with pytest.raises(DeadlinePassed), deadline(0.2), fewer.slot("model"):
            pass


def test_slots_and_locks_of_a_killed_process_are_free_again(database: Database, database_url: str) -> None:
    slots, locks = PostgresRequestSlots(database), PostgresFileLocks(database)
    process = started(HOLDS_ALL_SLOTS_AND_A_LOCK, database_url)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    entered = threading.Event()

    def enter() -> None:
        with slots.slot("model"), locks.hold("file-1"):
            entered.set()

    waiting = threading.Thread(target=enter)
    waiting.start()
    assert locks.is_held("file-1")
    assert not entered.wait(0.5), "somebody else holds all five slots"
    process.send_signal(signal.SIGKILL)
    assert entered.wait(60)
    waiting.join()
    process.wait()
    assert not locks.is_held("file-1")


def test_a_slot_is_given_back_when_the_work_fails(database: Database) -> None:
    slots = PostgresRequestSlots(database)
    for _ in range(6):
        with pytest.raises(ZeroDivisionError), slots.slot("model"):
            raise ZeroDivisionError


def test_one_thread_at_a_time_holds_a_file(database: Database) -> None:
    locks = PostgresFileLocks(database)
    inside, most = 0, 0
    counting = threading.Lock()

    def work() -> None:
        nonlocal inside, most
        for _ in range(5):
            with locks.hold("file-1"):
                with counting:
                    inside += 1
                    most = max(most, inside)
                time.sleep(0.002)
                with counting:
                    inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    wait_until(lambda: not locks.is_held("file-1"))


def test_different_files_are_held_at_the_same_time(database: Database) -> None:
    locks = PostgresFileLocks(database)
    with locks.hold("file-1"), locks.hold("file-2"):
        assert locks.is_held("file-1")
        assert locks.is_held("file-2")
        assert not locks.is_held("file-3")


def test_one_process_runs_the_daemon_and_the_next_takes_over_when_it_ends(database_url: str) -> None:
    with Database(database_url) as second:
        waiting = PostgresDaemonTurn(second)
        with Database(database_url) as first:
            turn = PostgresDaemonTurn(first)
            assert [turn.is_ours(), waiting.is_ours(), turn.is_ours(), waiting.is_ours()] == [True, False, True, False]
        wait_until(waiting.is_ours)
        assert waiting.is_ours()


def test_whoever_lost_the_connection_takes_the_turn_again_unless_somebody_else_has_it(database_url: str) -> None:
    ends_all_others = (
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = "
    )
    with Database(database_url) as first, Database(database_url) as second, Database(database_url) as administrator:
        turn, other = PostgresDaemonTurn(first), PostgresDaemonTurn(second)
        assert turn.is_ours()
        administrator.run(f"{ends_all_others} current_database()")
        assert [turn.is_ours(), other.is_ours()] == [True, False]
        administrator.run(f"{ends_all_others} current_database()")
        assert [other.is_ours(), turn.is_ours()] == [True, False]
