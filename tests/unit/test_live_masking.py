"""The debug log of live search: who and where is blotted out, and what was said is not in it at all."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from locator_search.cli.live.log import DebugLog
from locator_search.live_search.masking import masked
from tests.fakes.clock import HeldClock
from tests.fakes.scripted_services import ScriptedServices, failure, hits
from tests.unit.test_live_search import Model, asked


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("担当はyamada.taro@example.co.jpです", "担当は<mail>です"),
        ("xoxp-12-34-abcdef を使う", "<token> を使う"),
        ("tokenはghp_abcdefghij0123456789です", "tokenは<token>です"),
        ("github_pat_11ABC_def と sk-proj-abcdefgh", "<token> と <token>"),
        ("Authorization: Bearer abc.def/ghi", "Authorization: Bearer <token>"),
        ("<@U02ABCDEF> と <@U02ABCDEF|taro>", "<user> と <user>"),
        ("from:@taro U02ABCDEFG", "from:<user> <user>"),
        ("https://acme.slack.com/archives/C1/p2?x=1", "https://<domain>/archives/C1/p2?x=1"),
        ("社内はintra.acme.co.jpにある", "社内は<domain>にある"),
        ("README.md と docs/main.py の v1.2.3", "README.md と docs/main.py の v1.2.3"),
        ("合言葉は hunter22 です", "合言葉は <token> です"),
    ],
)
def test_what_identifies_people_and_places_is_masked(written: str, shown: str) -> None:
    assert masked(written, ["hunter22"]) == shown


def test_the_log_holds_queries_counts_and_lengths_and_no_text_of_anybody(tmp_path: Path) -> None:
    log = DebugLog(tmp_path / "logs" / "live.jsonl", HeldClock(), ["hunter22"])
    found = hits(
        "slack", "message", 2, title="秘密の題名", snippet="秘密の抜粋", uri="https://acme.slack.com/archives/C1/p1"
    )
    services = ScriptedServices(
        found={("slack", "message"): found},
        failing={("github", "issue"): failure("refused", "Bad credentials for hunter22 of taro@acme.co.jp")},
        bodies={"https://acme.slack.com/archives/C1/p1": "秘密の本文"},
    )
    question = "taro@acme.co.jp の件は？"
    log.asked(question)
    log.ended(asked(services, Model("秘密の回答 [1]"), question, on_step=log.step))
    log.broke_off("KeyboardInterrupt")
    written = log.path.read_text("utf-8")
    for secret in ("秘密", "hunter22", "acme", "taro"):
        assert secret not in written
    lines = [json.loads(line) for line in written.splitlines()]
    assert lines[0]["event"] == "question"
    assert lines[0]["question"] == "<mail> の件は？"
    outcome = next(line for line in lines if line["event"] == "outcome")
    assert outcome["bodies"] == [{"service": "slack", "kind": "message", "characters": 5, "seconds": 0.0}]
    assert outcome["evidence"] == [{"number": 1, "uri": "https://<domain>/archives/C1/p1", "cited": True}]
    assert lines[-1]["reason"] == "KeyboardInterrupt"
    assert all("time" in line for line in lines)
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600
