"""servers.yaml: what may stand in it, what is told about mistakes, and how answers become hits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from locator_search.adapters.mcp_services import DEFAULT_SERVERS, open_gateway
from locator_search.adapters.mcp_services.arguments import fitted, problems_with
from locator_search.adapters.mcp_services.configuration import (
    Rows,
    ServerEntry,
    ServersFile,
    Text,
    load_servers,
)
from locator_search.adapters.mcp_services.results import Answer, body_of, hits_of, rows_of
from locator_search.adapters.mcp_services.variables import expanded, missing_credentials, variables_of
from locator_search.config.settings import Settings
from locator_search.core.errors import BadServiceAnswer, ConfigurationError, ServiceMisconfigured
from locator_search.locales.service_faults import fault_sentence
from locator_search.model import Service
from tests.builders.services import scripted, servers_file
from tests.fakes.sign_ins import MemorySignIns


def service_of(folder: Path, **changes: Any) -> Service:
    """A service as a gateway sees it that starts nothing."""
    path = servers_file(folder, {"wiki": scripted(**changes)})
    gateway = open_gateway(Settings(locator_servers=path, locator_home=folder), MemorySignIns())
    (server,) = gateway._servers.values()
    return server.service


def test_the_file_of_the_product_is_valid_and_has_three_services() -> None:
    servers = load_servers()
    assert [name for name, entry in servers.servers.items() if entry.enabled] == ["drive", "slack", "github"]
    assert servers.limits_of(servers.servers["drive"]).fetch_seconds == 20


def test_the_schema_for_editors_is_that_of_the_program() -> None:
    written = json.loads(DEFAULT_SERVERS.with_name("servers.schema.json").read_text("utf-8"))
    assert written == ServersFile.model_json_schema() | {"patternProperties": {"^x-": {}}}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"serach": {}}, "servers.wiki.serach: Extra inputs are not permitted"),
        ({"rate_limit": ["("]}, "the pattern '(' cannot be read"),
        ({"limits": {"max_chars": 1}}, "greater than or equal to 100"),
        ({"fetch": {"thing": {}}}, "exactly one of `tool` and `read_resource`"),
        ({"fetch": {"thing": {"tool": "read", "args": {"id": "{{ item.id"}}}}, "cannot be read"),
        ({"searches": {}}, "at least 1 item"),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        load_servers(servers_file(tmp_path, {"wiki": scripted(**changes)}), "en")
    assert said in error.value.message


@pytest.mark.parametrize("content", ["- a\n- b", "version: 2", "{", "", "version: 1\nservers: {}\nother: 1"])
def test_what_is_no_configuration_is_refused_in_one_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "servers.yaml"
    path.write_text(content, "utf-8")
    with pytest.raises(ConfigurationError):
        load_servers(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"nowhere\.yaml"):
        open_gateway(Settings(locator_servers=tmp_path / "nowhere.yaml"), MemorySignIns())


# Variables


def test_variables_have_defaults_messages_and_an_escape() -> None:
    variables = {"A": "1"}
    assert expanded({"x": ["${A}", "${B:-two}", "${B}", "$${A}"]}, variables) == {"x": ["1", "two", "", "${A}"]}
    with pytest.raises(ServiceMisconfigured, match="say why"):
        expanded("${B:?say why}", variables)


def test_variables_come_from_settings_before_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WIKI_URL", "http://wiki.example")
    monkeypatch.setenv("EMPTY", " ")
    variables = variables_of(Settings(locator_home=tmp_path, slack_user_token="xoxp-1"))
    assert (variables["SLACK_USER_TOKEN"], variables["WIKI_URL"]) == ("xoxp-1", "http://wiki.example")
    assert "EMPTY" not in variables
    assert Path(variables["PYTHON"]).exists()


def test_a_stored_sign_in_stands_for_the_refresh_token(tmp_path: Path) -> None:
    (tmp_path / "google_token.json").write_text('{"refresh_token": "stored"}')
    variables = variables_of(Settings(locator_home=tmp_path))
    assert variables["GOOGLE_REFRESH_TOKEN"] == "stored"


def test_the_set_of_credentials_that_was_begun_is_asked_for_else_the_first() -> None:
    sets = [["ID", "SECRET", "TOKEN"], ["FILE"]]
    assert missing_credentials(sets, {"ID": "1", "SECRET": "2", "TOKEN": "3"}) == ()
    assert missing_credentials(sets, {"FILE": "1"}) == ()
    assert missing_credentials(sets, {"ID": "1", "SECRET": "2"}) == ("TOKEN",)
    assert missing_credentials(sets, {}) == ("ID", "SECRET", "TOKEN")
    assert missing_credentials([], {}) == ()


def test_one_service_with_a_missing_variable_is_off_with_its_message(tmp_path: Path) -> None:
    service = service_of(tmp_path, transport={"command": "wiki", "env": {"KEY": "${NO_WIKI_KEY:?Get a key first.}"}})
    assert service.failure is not None
    assert (service.failure.reason, fault_sentence(service.failure.fault, "en")) == (
        "misconfigured",
        "Get a key first.",
    )


def test_a_service_without_keys_and_without_a_mock_is_off(tmp_path: Path) -> None:
    service = service_of(tmp_path, credentials=[["NO_WIKI_KEY"]])
    assert service.failure is not None
    assert fault_sentence(service.failure.fault, "en") == "It is off: NO_WIKI_KEY not set, and it has no mock."
    assert (service.mock, service.missing) == (False, ("NO_WIKI_KEY",))


# Arguments

SCHEMA = {
    "properties": {
        "query": {"type": "string"},
        "limit": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "ratio": {"type": "number"},
        "deep": {"type": "boolean"},
        "kinds": {"type": "array"},
        "filter": {"type": ["object", "null"]},
    },
    "required": ["query"],
}


def test_arguments_get_the_types_the_tool_asks_for() -> None:
    written = {"query": 7, "limit": " 3", "ratio": "0.5", "deep": "True", "kinds": "a", "filter": '{"x": 1}'}
    typed = {"query": "7", "limit": 3, "ratio": 0.5, "deep": True, "kinds": ["a"], "filter": {"x": 1}}
    assert fitted(written, SCHEMA) == typed
    assert fitted({"query": "", "limit": "", "kinds": '["a", "b"]'}, SCHEMA) == {"query": "", "kinds": ["a", "b"]}


@pytest.mark.parametrize(("name", "value"), [("limit", "three"), ("deep", "perhaps"), ("filter", "[]")])
def test_an_argument_that_cannot_be_of_its_type_is_named(name: str, value: str) -> None:
    with pytest.raises(ServiceMisconfigured, match=name):
        fitted({"query": "a", name: value}, SCHEMA)


def test_arguments_a_tool_lacks_or_misses_are_named() -> None:
    assert problems_with({"query": "a"}, "find", SCHEMA) == []
    assert [fault_sentence(problem, "en") for problem in problems_with({"q": "a"}, "find", SCHEMA)] == [
        "it has no argument `q` (tool `find`)",
        "it requires `query`, which is not given (tool `find`)",
    ]
    assert problems_with({"q": "a"}, "find", {**SCHEMA, "additionalProperties": True, "required": []}) == []
    assert problems_with({"q": "a"}, "find", {"type": "object"}) == []


# Answers


def test_answers_in_csv_may_have_line_breaks_inside_fields() -> None:
    rows = rows_of(Answer('Text,Time\n"一行目\n二行目, ""引用""",10:00\n'), Rows(format="csv"))
    assert rows == [{"Text": '一行目\n二行目, "引用"', "Time": "10:00"}]


def test_answers_in_json_are_taken_from_a_path_as_text_or_as_data() -> None:
    tree = {"data": {"items": [{"id": 1}, {"id": 2}]}}
    rows = Rows(format="json", items="data.items")
    assert rows_of(Answer(json.dumps(tree)), rows) == rows_of(Answer("", tree), rows) == [{"id": 1}, {"id": 2}]
    assert rows_of(Answer('{"id": 1}'), Rows(format="json")) == [{"id": 1}]
    for broken in ("no json", "{}", '{"data": []}', "[" * 100_000):
        with pytest.raises(BadServiceAnswer):
            rows_of(Answer(broken), rows)


def test_answers_in_lines_are_taken_by_a_pattern() -> None:
    rows = Rows(format="regex", pattern=r"^(?P<name>.+) \((?P<mime>[^)]+)\)$")
    text = "Found 2 files:\n設計.pdf (application/pdf)\nb.txt (text/plain)"
    assert [row["name"] for row in rows_of(Answer(text), rows)] == ["設計.pdf", "b.txt"]


def entry(**result: str) -> ServerEntry:
    """A service whose rows are lists of JSON."""
    tree = scripted()
    made = {"format": "json", "title": "{{ item.title }}", "uri": "{{ item.url }}", **result}
    tree["searches"]["thing"]["result"] = made
    return ServerEntry.model_validate(tree)


def test_hits_may_be_left_out_and_be_of_another_kind() -> None:
    answer = Answer("", [{"title": n, "url": "u", "id": n, "draft": n == "a", "type": "page"} for n in "abcd"])
    hits = hits_of(answer, "wiki", "thing", entry(skip_if="{{ item.draft }}", kind="{{ item.type }}"), "q", 2)
    assert [(hit.title, hit.kind, hit.fetch) for hit in hits] == [("b", "page", {}), ("c", "page", {})]


def test_titles_are_one_line_without_control_characters() -> None:
    (hit,) = hits_of(
        Answer("", [{"title": "a\nb\x1b[31m\u202ec", "url": "/u", "id": 1}]), "wiki", "thing", entry(), "q", 3
    )
    assert hit.title == "a b[31mc"


def test_a_field_that_is_missing_is_told_and_not_guessed() -> None:
    with pytest.raises(BadServiceAnswer, match="title"):
        hits_of(Answer("", [{"url": "u", "id": 1}]), "wiki", "thing", entry(), "q", 3)


@pytest.mark.parametrize("uri", ["javascript:alert(1)", "data:text/html,x", " //host/x", "slack://C100", "mailto:a@b"])
def test_a_link_is_a_web_address_or_a_path_and_nothing_else(uri: str) -> None:
    (hit,) = hits_of(Answer("", [{"title": "t", "url": uri, "id": 1}]), "wiki", "thing", entry(), "q", 3)
    assert hit.uri == ""


@pytest.mark.parametrize(
    "template",
    ["{{ item.__class__.__mro__ }}", "{{ ''.__class__ }}", "{{ cycler.__init__.__globals__ }}", "{{ 1 / 0 }}"],
)
def test_templates_reach_nothing_but_the_answer(template: str) -> None:
    with pytest.raises(BadServiceAnswer):
        hits_of(Answer("", [{"title": "t", "url": "u", "id": 1}]), "wiki", "thing", entry(snippet=template), "q", 3)


def test_what_an_answer_holds_is_never_read_as_a_template() -> None:
    (hit,) = hits_of(Answer("", [{"title": "{{ 7 * 7 }}", "url": "u", "id": 1}]), "wiki", "thing", entry(), "q", 3)
    assert hit.title == "{{ 7 * 7 }}"


def test_bodies_are_joined_and_cut() -> None:
    text = Text(format="json", template="{{ item.user }}: {{ item.said }}", join="\n")
    answer = Answer("", [{"user": "佐藤", "said": "はい"}, {"user": "田中", "said": "いいえ"}])
    assert body_of(answer, text, 100) == "佐藤: はい\n田中: いいえ"
    assert body_of(answer, text, 5) == "佐藤: は"


def test_no_service_sees_the_tokens_of_another() -> None:
    servers = load_servers().servers
    keys = {name: {key for one_set in entry.credentials for key in one_set} for name, entry in servers.items()}
    for name, entry in servers.items():
        others = set().union(*(those for other, those in keys.items() if other != name)) - keys[name]
        passed = json.dumps([entry.transport.model_dump(), entry.mock and entry.mock.model_dump()])
        assert [key for key in others if key in passed] == []
        assert not keys[name] or any(key in passed for key in keys[name])
