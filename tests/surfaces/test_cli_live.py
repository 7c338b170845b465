"""`document-locator live`: what is printed, what Ctrl-C ends, what is kept, and who is asked to sign in."""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from locator_search.app.live import LiveParts
from locator_search.cli.live import command as live_command
from locator_search.cli.live.texts import LiveTexts
from locator_search.config.settings import load_settings_to_ask_live
from locator_search.dev.drive_emulator import DriveEmulator
from locator_search.ports import ChatModel
from tests.builders.command_line import app
from tests.builders.services import patient_servers, scripted, servers_file
from tests.fakes.scripted_services import ScriptedServices, failure, hits
from tests.unit.test_live_search import EVERYTHING, Index, Model, indexed

Use = Callable[..., ScriptedServices]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ALLOW_REAL", raising=False)
    monkeypatch.setenv("LOCATOR_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Lets the command ask scripted services and a scripted model."""

    def using(services: ScriptedServices, model: ChatModel | None = None) -> ScriptedServices:
        monkeypatch.setattr(LiveParts, "gateway", services)
        monkeypatch.setattr(LiveParts, "chat_model", model or Model())
        return services

    return using


def live(*words: str, typed: str | None = None) -> Result:
    result = CliRunner().invoke(app, ["live", *words], input=typed)
    assert "Traceback" not in result.output
    return result


# Printed


def test_queries_answer_links_and_warnings_are_printed_in_this_order(use: Use) -> None:
    use(ScriptedServices(found=EVERYTHING, failing={("slack", "message"): failure("timed_out")}))
    printed = live("設計はどこ？").stdout
    places = [
        printed.index(text)
        for text in (
            "検索クエリ",
            "Google Drive / file: drive__file query  (3 件)",
            "見つかりました [1]",
            "根拠リンク",
            "[1] Google Drive  drive file 0",
            "https://drive.example/file/0",
            "警告",
        )
    ]
    assert places == sorted(places)
    assert "Slack の検索に失敗しました" in printed


def test_progress_goes_to_stderr_and_json_alone_to_stdout(use: Use) -> None:
    use(ScriptedServices(found=EVERYTHING))
    shown = live("設計はどこ？")
    assert "Slack を検索中..." in shown.stderr
    assert "検索中" not in shown.stdout
    document = json.loads(live("設計はどこ？", "--json").stdout)
    assert len(document["evidence"]) == 9


def test_a_second_question_follows_from_the_evidence_of_the_first(use: Use) -> None:
    services = use(ScriptedServices(found=EVERYTHING))
    document = json.loads(live("再送の上限は？", "--follow", "期限は？", "--json").stdout)
    assert document["follow"]["question"] == "期限は？"
    assert document["follow"]["evidence"] == document["evidence"]
    assert {"text", "citations", "doubts", "supported"} == set(document["claims"][0])
    assert document["follow"]["queries"] == {}
    assert len(services.searched) == 1
    printed = live("再送の上限は？", "--follow", "期限は？").stdout
    assert printed.index("根拠リンク") < printed.index("期限は？") < printed.rindex("見つかりました [1]")
    assert live("--follow", "期限は？").exit_code == 2


def test_in_the_loop_a_plus_asks_on(use: Use) -> None:
    services = use(ScriptedServices(found=EVERYTHING))
    result = live(typed="+ 期限は？\n再送の上限は？\n＋ 期限は？\n/exit\n")
    assert "続けて質問できる回答がまだありません" in result.stdout
    assert result.stdout.count("見つかりました [1]") == 2
    assert (len(services.searched), len(services.fetched)) == (1, 2)


def test_titles_and_answers_are_printed_as_they_are_and_never_as_markup(use: Use) -> None:
    hostile = hits(
        "slack", "message", 1, title="[bold]題名[/bold] [link=https://evil.example]x[/link]\x1b[31m", snippet=""
    )
    use(ScriptedServices(found={("slack", "message"): hostile}), Model("[red]赤[/red] \x1b[31m [1]"))
    printed = live("設計はどこ？").stdout
    assert "[bold]題名[/bold] [link=https://evil.example]x[/link]" in printed
    assert "[red]赤[/red]" in printed
    assert "\x1b[31m" not in printed


def test_what_the_index_knows_is_told_apart_from_what_it_alone_found(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    use(ScriptedServices(found={("drive", "file"): hits("drive", "file", 1, uri="https://example.com/0")}))
    known = Index(indexed(0, link="https://example.com/0"), indexed(1, similarity=0.9, link="https://example.com/1"))
    monkeypatch.setattr("locator_search.app.live._Lookup", lambda _locator: known)
    lines = live("設計はどこ？", "--with-index").stdout.splitlines()
    first, second = (lines[lines.index(f"    https://example.com/{number}") + 1] for number in (0, 1))
    assert "索引にもあり（索引時の更新日" in first
    assert "索引だけで見つかりました（更新日" in second


def test_stand_ins_and_mocks_say_so(tmp_path: Path) -> None:
    shown = live("Project Alpha の設計ドキュメントはどこ？", "--mock", "--servers", str(patient_servers(tmp_path)))
    assert shown.exit_code == 0, shown.stderr
    assert "架空のデータ（モック）が答えました: Google Drive, Slack, GitHub" in shown.stdout
    links = [line for line in shown.stdout.splitlines() if line.startswith("    https://")]
    assert shown.stdout.count("    架空のデータ  ") == len(links) > 0, "each piece of evidence says so"
    assert "オフラインの代役が答えました" in shown.stdout
    assert "https://docs.google.com/document/d/mock-alpha-design/edit" in shown.stdout


@pytest.mark.parametrize(
    ("words", "status"), [(["--json"], 2), (["", "--json"], 2), (["x", "--servers", "none.yaml"], 2)]
)
def test_wrong_usage_ends_with_2_and_one_sentence(words: list[str], status: int) -> None:
    assert live(*words).exit_code == status


def test_no_service_at_all_ends_with_1_and_says_why(use: Use) -> None:
    use(ScriptedServices(failing={place: failure("unavailable", "It ended.") for place in EVERYTHING}))
    result = live("設計はどこ？", "--json")
    assert result.exit_code == 1
    assert len(json.loads(result.stdout)["warnings"]) == 3


def test_half_a_client_of_google_is_a_mock_and_no_error(use: Use, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_CLIENT_ID", "only-this")
    use(ScriptedServices(found=EVERYTHING))
    assert live("設計はどこ？").exit_code == 0


def test_the_notice_comes_before_the_first_question_and_again_with_another_model(use: Use) -> None:
    def notice(model: Model) -> bool:
        use(ScriptedServices(found=EVERYTHING), model)
        return "マスキングせずに言語モデル" in live("設計はどこ？", "--json").stderr

    other = Model()
    other.model_name = "other-chat"
    assert [notice(Model()), notice(Model()), notice(other), notice(other)] == [True, False, True, False]


def test_the_record_is_kept_only_when_it_is_asked_for(use: Use, home: Path) -> None:
    use(ScriptedServices(found=EVERYTHING))
    live("設計はどこ？")
    assert not (home / "logs").exists()
    live("設計はどこ？", "--debug")
    events = [json.loads(line)["event"] for line in (home / "logs" / "live.jsonl").read_text("utf-8").splitlines()]
    assert (events[0], events[-1]) == ("question", "outcome")


# One question after the other


def test_the_loop_goes_on_after_errors_and_tries_a_proposal_by_its_number(use: Use) -> None:
    services = use(ScriptedServices())
    result = live(typed=f"一つ目\n9\n2\n\n{'長' * 1001}\n/help\n三つ目\n/exit\n四つ目\n")
    assert result.exit_code == 0
    assert "その番号の案はありません。" in result.stdout
    assert "質問が長すぎます" in result.stderr
    assert "自然な文で質問してください" in result.stdout
    queries = [[query.query for query in queries] for queries in services.searched]
    assert queries[1] == ["slack__message wider"]
    assert len(queries) == 3


def test_the_end_of_input_leaves_the_loop(use: Use) -> None:
    use(ScriptedServices())
    assert live(typed="一つ目\n").exit_code == 0


@pytest.fixture
def ctrl_c() -> Iterator[Callable[[Callable[[], bool]], None]]:
    """Presses Ctrl-C as soon as something holds."""
    over = threading.Event()

    def press(when: Callable[[], bool]) -> None:
        while not when():
            if over.wait(0.02):
                return
        os.kill(os.getpid(), signal.SIGINT)

    yield lambda when: threading.Thread(target=press, args=(when,)).start()
    over.set()


class Echo(Model):
    """Asks every service what the person asked."""

    def answer(self, prompt: Any) -> Any:
        if prompt.task == "live_queries":
            self._queries = {"red__thing": {"query": prompt.inputs["question"], "alternatives": []}}
        return super().answer(prompt)


def test_ctrl_c_ends_the_running_question_and_the_next_one_is_answered_by_the_same_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ctrl_c: Callable[[Callable[[], bool]], None]
) -> None:
    pid, log = tmp_path / "pid", tmp_path / "log"
    servers = servers_file(tmp_path, {"red": scripted("well", "--pid", str(pid), "--log", str(log))})
    monkeypatch.setattr(LiveParts, "chat_model", Echo())
    typed = iter(["hang", "2 hits", "/exit"])

    def person(_prompt: str) -> str:
        line = next(typed)
        if line == "hang":
            ctrl_c(lambda: log.exists() and "tools/call" in log.read_text())
        return line

    monkeypatch.setattr("builtins.input", person)
    started = time.monotonic()
    result = live("--servers", str(servers))
    assert time.monotonic() - started < 100, "no limit ended it"
    assert result.exit_code == 0
    assert "この質問を中断しました。" in result.stderr
    assert "https://example.com/1" in result.stdout
    assert len(pid.read_text().split()) == 1, "the server was not started again"


@pytest.mark.large
def test_services_that_hang_die_flood_and_refuse_are_named_while_the_others_answer_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"well": "2 hits", "hanging": "hang", "dying": "die", "limited": "429 as error", "flooding": "huge 40",
              "babbling": "nonsense", "slow": "wait 0.5"}  # fmt: skip
    services = {name: scripted(label=name) for name in wanted} | {"crashing": scripted("crash", label="crashing")}
    servers = servers_file(tmp_path, services, question_seconds=3)
    drafts = {f"{name}__thing": {"query": query, "alternatives": []} for name, query in wanted.items()}
    monkeypatch.setattr(LiveParts, "chat_model", Model(queries=drafts))
    typed = iter(["一つ目", "二つ目"])
    ended: list[float] = []

    def person(_prompt: str) -> str:
        ended.append(time.monotonic())
        return next(typed, "/exit")

    monkeypatch.setattr("builtins.input", person)
    result = live("--servers", str(servers))
    assert result.exit_code == 0, result.stderr
    first, second = result.stdout.split("根拠リンク")[1:]
    for shown in (first, second):
        assert shown.count("https://example.com/") == 2, "both hits of the one, the third is the same as the first"
        for name in ("hanging", "dying", "limited", "flooding", "babbling", "crashing"):
            assert re.search(rf"^ +{name} (?:の検索に失敗|を使えません|は)", shown, re.MULTILINE), name
        assert not re.search(r"^ +(well|slow) (?:の検索に失敗|を使えません|は)", shown, re.MULTILINE)
    assert ended[2] - ended[1] < 3 + 1, "the second question takes the time-out at most"


# Signing in


class Terminal:
    """A stream that says a person sits there."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def person_at_google(monkeypatch: pytest.MonkeyPatch) -> Iterator[DriveEmulator]:
    """Google's sign-in on loopback, a browser that agrees, and a person at the terminal."""

    class Browser(webbrowser.BaseBrowser):
        def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
            threading.Thread(target=lambda: urllib.request.urlopen(url).read(), daemon=True).start()
            return True

    with DriveEmulator() as drive:
        for name in ("GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET", "GOOGLE_TOKEN_URI"):
            monkeypatch.setenv(name, drive.environment()[name])
        monkeypatch.setattr(webbrowser, "get", lambda using=None: Browser())
        monkeypatch.setattr(live_command, "sys", SimpleNamespace(stdin=Terminal(), stdout=Terminal()))
        yield drive


def test_the_first_start_offers_to_sign_in_and_the_second_does_not(
    person_at_google: DriveEmulator, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("builtins.input", lambda prompt: asked.append(prompt) or "")  # type: ignore[func-returns-value]
    for _ in range(2):
        live_command._offer_to_sign_in(load_settings_to_ask_live(), LiveTexts.of("ja"))
    assert asked == [LiveTexts.of("ja").sign_in]
    stored = json.loads((home / "google_token.json").read_text("utf-8"))
    assert stored == {"refresh_token": person_at_google.oauth.refresh_token}


@pytest.mark.parametrize("answer", ["n", "No"])
def test_who_declines_to_sign_in_is_not_sent_to_google(
    person_at_google: DriveEmulator, home: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: answer)
    live_command._offer_to_sign_in(load_settings_to_ask_live(), LiveTexts.of("en"))
    assert not (home / "google_token.json").exists()


def test_mocks_need_no_sign_in(person_at_google: DriveEmulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: pytest.fail("nobody is to be asked"))
    live_command._offer_to_sign_in(load_settings_to_ask_live(allow_real=False), LiveTexts.of("ja"))
