"""The MCP server as a client in the same process meets it, over a real index of real files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import psycopg
import pytest
from mcp import Client, MCPError
from mcp_types import INVALID_PARAMS, CallToolResult

from locator_search.adapters.postgres.server.embedded import EmbeddedServer
from locator_search.app import locator as composition_root
from locator_search.app import sources
from locator_search.app.locator import Locator, open_locator
from locator_search.config.settings import Settings, load_settings
from locator_search.core.errors import ModelUnavailable
from locator_search.dev.drive_emulator import DriveEmulator
from locator_search.mcp_server.documents import PART_LENGTH
from locator_search.mcp_server.index_tools import IndexTools
from locator_search.mcp_server.serving import server_for
from tests.builders.drive import DriveBench
from tests.builders.report_folder import index_everything, write_files

CLAUSES = [f"# 第{number}条 点検項目{number}\n\n" + f"第{number}条の手順を守る。" * 60 for number in range(1, 61)]

FILES = {
    "総務部/経費精算の手順.md": "# 経費精算の手順\n\n領収書を添えて月末までに申請します。承認は上長が行います。\n",
    "総務部/travel_policy.md": "# Travel policy\n\nBook economy class for flights under six hours.\n",
    "法務/秘密保持契約書.md": "# 秘密保持契約書\n\n北斗製鋼との秘密保持契約書、契約番号 K-2024-017。\n",
    "法務/設備点検規程.md": "\n\n".join(CLAUSES),
    **{
        f"営業/鉄板見積_v{version}.md": "# 鉄板の見積\n\n厚さ六ミリの鉄板を十二枚、納期は三週間、運賃は含まない。"
        f"単価は{price}円とする。\n"
        for version, price in ((1, "九千"), (2, "八千"))
    },
    "品質/消える報告書.md": "# 消える報告書\n\n蛍石レンズの白濁について報告する。\n",
    "品質/直された報告書.md": "# 直された報告書\n\n雲母板の割れについて報告する。\n",
}

SECRET = "hunter2"

Result = TypeVar("Result")
Conversation = Callable[[Client], Awaitable[Result]]


@pytest.fixture(scope="module")
def settings(database_server: EmbeddedServer, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    root = tmp_path_factory.mktemp("mcp")
    folder = write_files(root / "資料", FILES)
    with psycopg.connect(database_server.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE mcp TEMPLATE template")
    url = database_server.url.replace("/postgres?", "/mcp?", 1)
    made = load_settings(database_url=url, locator_folders=(str(folder),), locator_home=root / "home")
    with open_locator(made) as locator:
        index_everything(locator)
    return made


def talk(settings: Settings, conversation: Conversation[Result]) -> Result:
    """One conversation of a client with a server of its own."""

    async def whole(tools: IndexTools) -> Result:
        async with Client(server_for(tools, settings)) as client:
            return await conversation(client)

    tools = IndexTools(settings)
    try:
        return asyncio.run(whole(tools))
    finally:
        tools.close()


def call(settings: Settings, tool: str, **arguments: object) -> CallToolResult:
    async def conversation(client: Client) -> CallToolResult:
        return await client.call_tool(tool, arguments)

    return talk(settings, conversation)


def answer(settings: Settings, tool: str, **arguments: object) -> dict[str, Any]:
    result = call(settings, tool, **arguments)
    assert not result.is_error, result.content
    structured: dict[str, Any] = json.loads(said(result))
    assert structured == result.structured_content
    return structured


def refusal(settings: Settings, tool: str, **arguments: object) -> str:
    result = call(settings, tool, **arguments)
    assert result.is_error
    return said(result)


def said(result: CallToolResult) -> str:
    (content,) = result.content
    assert content.type == "text"
    return content.text


def id_of(settings: Settings, title: str) -> str:
    found = answer(settings, "search", query=title.removesuffix(".md"))["results"]
    return next(str(item["id"]) for item in found if item["title"] == title)


# What a client is told


def test_search_and_fetch_take_one_string_and_all_tools_only_read(settings: Settings) -> None:
    tools = {tool.name: tool for tool in talk(settings, lambda client: client.list_tools()).tools}
    assert list(tools) == ["search", "fetch", "get_evidence"]
    for name, argument in (("search", "query"), ("fetch", "id")):
        schema = tools[name].input_schema
        assert schema["required"] == list(schema["properties"]) == [argument]
        assert schema["properties"][argument]["type"] == "string"
    for tool in tools.values():
        hints = tool.annotations
        assert hints is not None
        assert (hints.read_only_hint, hints.idempotent_hint) == (True, True)
        assert (hints.destructive_hint, hints.open_world_hint) == (False, False)
        assert tool.output_schema is not None
        assert tool.description is not None
        assert any("ぁ" <= letter <= "ん" for letter in tool.description)


def test_documents_are_a_resource_template_and_the_prompt_describes_itself(settings: Settings) -> None:
    (template,) = talk(settings, lambda client: client.list_resource_templates()).resource_templates
    assert template.uri_template == "locator://document/{id}{?part}"
    (prompt,) = talk(settings, lambda client: client.list_prompts()).prompts
    assert prompt.description
    assert [(argument.name, argument.required) for argument in prompt.arguments or ()] == [("question", True)]

    async def asked(client: Client) -> str:
        (message,) = (await client.get_prompt("find_document", {"question": "白濁の原因は？"})).messages
        return str(message.content)

    assert "白濁の原因は？" in talk(settings, asked)


def test_nothing_is_connected_before_the_first_question(tmp_path: Path) -> None:
    nowhere = load_settings(database_url=f"postgresql://u:{SECRET}@127.0.0.1:1/none", locator_home=tmp_path)
    assert len(talk(nowhere, lambda client: client.list_tools()).tools) == 3
    sentence = refusal(nowhere, "search", query="議事録")
    assert "に接続できません" in sentence
    assert SECRET not in sentence


# Answers


def test_a_japanese_question_finds_its_file(settings: Settings) -> None:
    best = answer(settings, "search", query="領収書を添えて申請する手順")["results"][0]
    assert (best["title"], best["freshness"], best["folder_path"]) == ("経費精算の手順.md", "verified", "資料/総務部")
    assert best["url"].startswith("file://")
    assert "領収書" in best["snippet"]
    assert 0 < best["similarity"] <= 1


def test_an_exact_number_and_an_english_phrase_find_their_files(settings: Settings) -> None:
    for query, title in (("K-2024-017", "秘密保持契約書.md"), ("economy class flights", "travel_policy.md")):
        assert answer(settings, "search", query=query)["results"][0]["title"] == title


def test_fetch_reads_the_text_that_was_indexed(settings: Settings) -> None:
    document = answer(settings, "fetch", id=id_of(settings, "travel_policy.md"))
    assert document["text"] == "Travel policy\nBook economy class for flights under six hours."
    assert (document["title"], document["metadata"]["parts"], document["metadata"]["next_id"]) == (
        "travel_policy.md", 1, None,
    )  # fmt: skip


def test_a_long_text_is_read_to_its_end_in_parts_that_say_how_to_go_on(settings: Settings) -> None:
    texts, following = [], id_of(settings, "設備点検規程.md")
    while following:
        document = answer(settings, "fetch", id=following)
        assert len(document["text"]) < 2 * PART_LENGTH
        texts.append(document["text"])
        following = document["metadata"]["next_id"]
        assert (following or "") in document["text"]
    whole = "\n".join(texts)
    assert len(texts) > 1
    assert all(f"点検項目{number}" in whole for number in range(1, 61))
    assert whole.count("第60条の手順を守る。") == 60


def test_the_resource_is_the_text_that_fetch_gives(settings: Settings) -> None:
    document_id = id_of(settings, "設備点検規程.md")

    def read(uri: str) -> str:
        (content,) = talk(settings, lambda client: client.read_resource(uri)).contents
        assert content.mime_type == "text/plain"
        return str(content.text)  # type: ignore[union-attr]  # a text, as its type says

    assert read(f"locator://document/{document_id}") == answer(settings, "fetch", id=document_id)["text"]
    second = answer(settings, "fetch", id=f"{document_id}#part=2")["text"]
    assert read(f"locator://document/{document_id}?part=2") == second


def test_evidence_says_where_it_stands(settings: Settings) -> None:
    (found,) = answer(settings, "get_evidence", query="点検項目42", top_k=1)["evidence"]
    assert found["clause_number"] == "第42条"
    assert found["heading_path"] == ["第42条 点検項目42"]
    assert "第42条の手順" in found["text"]
    assert found["snippet"]
    assert found["score"] > 0


def test_evidence_of_a_named_document_comes_from_several_places(settings: Settings) -> None:
    document_id = id_of(settings, "設備点検規程.md")
    query = "第7条と第21条の手順"
    found = answer(settings, "get_evidence", query=query, document_ids=[document_id], top_k=5)["evidence"]
    assert {item["id"] for item in found} == {document_id}
    assert {"第7条", "第21条"} <= {item["clause_number"] for item in found}
    anywhere = answer(settings, "get_evidence", query=query, top_k=5)["evidence"]
    assert len({item["id"] for item in anywhere}) == len(anywhere)


def test_evidence_can_be_limited_to_documents_folders_types_and_days(settings: Settings) -> None:
    def titles(**limits: object) -> set[str]:
        found = answer(settings, "get_evidence", query="手順 報告 policy", top_k=20, **limits)["evidence"]
        return {item["title"] for item in found}

    everything = titles()
    assert len(everything) > 2
    chosen = id_of(settings, "経費精算の手順.md")
    assert titles(document_ids=[chosen]) == {"経費精算の手順.md"}
    assert titles(document_ids=[f"{chosen}#part=1"]) == {"経費精算の手順.md"}
    assert titles(document_ids=["no such id"]) == titles(document_ids=["\0"]) == set()
    assert "document_ids" in refusal(settings, "get_evidence", query="手順", document_ids=[])
    assert titles(filters={"folders": ["資料/総務部"]}) == {"経費精算の手順.md", "travel_policy.md"}
    assert titles(filters={"file_types": ["pdf"]}) == set()
    assert titles(filters={"modified_after": "2020-01-01", "modified_before": "9999-12-31"}) == everything
    assert titles(filters={"modified_before": "2020-01-01"}) == set()


def test_matching_rules_and_synonyms_of_the_settings_hold_here_too(settings: Settings) -> None:
    home = settings.home / "with synonyms"
    home.mkdir(parents=True)
    (home / "synonyms.txt").write_text("NDA, 秘密保持契約書\n", "utf-8")
    ids = [id_of(settings, title) for title in ("秘密保持契約書.md", "travel_policy.md", "経費精算の手順.md")]

    def similarities(query: str, title: str, **others: object) -> list[float]:
        asked = settings.model_copy(update={"locator_home": home, **others})
        found = (
            answer(asked, "search", query=query)["results"],
            answer(asked, "get_evidence", query=query, document_ids=ids)["evidence"],
        )
        return [max((item["similarity"] for item in items if item["title"] == title), default=0.0) for items in found]

    contract = "秘密保持契約書.md"
    by_the_dictionary = similarities("NDA", contract, locator_matching_off=("office",))
    assert min(by_the_dictionary) > 0.7 > max(similarities("NDA", contract, locator_matching_off=("office", "synonym")))
    written_so = similarities("ｋ－２０２４－０１７", contract)
    assert min(written_so) > 0.7
    assert similarities("ｋ－２０２４－０１７", contract, locator_matching_off=("width",)) == [0.0, 0.0]


@pytest.mark.parametrize(("tool", "field"), [("search", "results"), ("get_evidence", "evidence")])
def test_versions_of_a_document_take_one_place_and_the_latest_is_shown(
    settings: Settings, tool: str, field: str
) -> None:
    def found(query: str) -> list[tuple[str, list[tuple[str, str]]]]:
        items = answer(settings, tool, query=query)[field]
        titles = [
            (item["title"], [(other["title"], other["kind"]) for other in item["other_versions"]]) for item in items
        ]
        return [one for one in titles if one[0].startswith("鉄板見積")]

    assert found("鉄板の見積") == [("鉄板見積_v2.md", [("鉄板見積_v1.md", "version")])]
    assert found("鉄板の見積 v1") == [("鉄板見積_v1.md", [("鉄板見積_v2.md", "version")])]
    latest = Path(settings.locator_folders[0], "営業/鉄板見積_v2.md")
    text = latest.read_text("utf-8")
    latest.unlink()
    try:
        assert found("鉄板の見積") == [("鉄板見積_v1.md", [])]
    finally:
        latest.write_text(text, "utf-8")


def test_a_file_that_is_gone_is_left_out_and_not_read(settings: Settings) -> None:
    document_id = id_of(settings, "消える報告書.md")
    file = Path(settings.locator_folders[0], "品質/消える報告書.md")
    text = file.read_text("utf-8")
    file.unlink()
    try:
        found = answer(settings, "search", query="蛍石レンズの白濁")
        assert "消える報告書.md" not in [item["title"] for item in found["results"]]
        assert found["note"] == "1 件は取得元から削除されたか閲覧できないため、除きました。"
        assert "閲覧できなくなっています" in refusal(settings, "fetch", id=document_id)
    finally:
        file.write_text(text, "utf-8")


def test_a_file_that_changed_since_is_marked(settings: Settings) -> None:
    file = Path(settings.locator_folders[0], "品質/直された報告書.md")
    file.write_text(file.read_text("utf-8") + "\n追記。\n", "utf-8")
    best = answer(settings, "search", query="雲母板の割れ")["results"][0]
    assert (best["title"], best["freshness"]) == ("直された報告書.md", "changed")
    assert answer(settings, "fetch", id=best["id"])["metadata"]["freshness"] == "changed"


@pytest.mark.parametrize("what", ["delete", "revoke"])
def test_what_drive_no_longer_shows_is_left_out_and_not_read(
    drive: DriveEmulator,
    drive_bench: DriveBench,
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
) -> None:
    monkeypatch.setattr(sources, "LONGEST_CHECK_SECONDS", 60.0)  # the machine may be busy
    kept, lost = (drive.add_file(f"{name}.txt", f"点検の記録 {name}", drive_bench.target) for name in "ab")
    drive_bench.tick()
    credentials: dict[str, Any] = {name.lower(): value for name, value in drive.environment().items()}
    places = {"google_drive_target_folder_ids": drive_bench.target, "locator_home": tmp_path}
    settings = load_settings(**(credentials | places), database_url=database_url)
    assert answer(settings, "fetch", id=lost)["metadata"]["freshness"] == "verified"
    {"delete": drive.delete, "revoke": drive.revoke}[what](lost)
    found = answer(settings, "search", query="点検の記録")
    assert [item["id"] for item in found["results"]] == [kept]
    assert found["results"][0]["url"].startswith("http")
    assert found["note"].startswith("1 件は")
    assert "閲覧できなくなっています" in refusal(settings, "fetch", id=lost)


def test_an_empty_index_says_what_to_do(database_url: str, tmp_path: Path) -> None:
    empty = load_settings(database_url=database_url, locator_home=tmp_path)
    said = answer(empty, "search", query="議事録")
    assert (said["outcome"], said["results"], said["coverage"]["listed"]) == ("not_found", [], 0)
    assert said["note"] == "索引が空です。サーバーのあるコンピューターで document-locator crawler を実行してください。"


def test_without_the_embedding_model_keywords_are_searched_for_and_the_answer_says_so(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Silent:
        model_name = "offline-hashed-ngrams-2"
        dimensions = 1536

        def embed(self, texts: object, purpose: object) -> None:
            raise ModelUnavailable("The model did not answer.")

    def silent_locator(settings: Settings) -> Locator:
        locator = Locator(settings)
        vars(locator)["embedder"] = Silent()
        return locator

    monkeypatch.setattr(composition_root, "open_locator", silent_locator)
    found = answer(settings, "search", query="K-2024-017")
    assert found["results"][0]["title"] == "秘密保持契約書.md"
    assert "埋め込みモデル（offline-hashed-ngrams-2）を使えないため、言葉の一致だけで検索しました" in found["note"]


def test_many_questions_at_once_open_the_index_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    def counted(settings: Settings) -> Locator:
        opened.append(Locator(settings))
        return opened[-1]

    async def conversation(client: Client) -> list[CallToolResult]:
        return await asyncio.gather(*(client.call_tool("search", {"query": f"第{n}条"}) for n in range(1, 13)))

    monkeypatch.setattr(composition_root, "open_locator", counted)
    results = talk(settings, conversation)
    assert [result.is_error for result in results] == [False] * 12
    assert len(opened) == 1


# Refusals


@pytest.mark.parametrize(
    "hostile",
    [
        "",
        " ",
        "../../../etc/passwd",
        "/etc/passwd",
        "file:///etc/passwd",
        "local:x\0y",
        "x" * 1_000_000,
        "%",
        "' OR 1=1",
    ],
)
def test_a_hostile_id_reads_nothing(settings: Settings, hostile: str) -> None:
    sentence = refusal(settings, "fetch", id=hostile)
    assert sentence == "この id の文書は索引にないか、閲覧できなくなっています。search が返す id を使ってください。"


@pytest.mark.parametrize("part", ["0", "-1", "2", "x", "99999999999999999999"])
def test_a_part_that_does_not_exist_is_refused(settings: Settings, part: str) -> None:
    document_id = id_of(settings, "travel_policy.md")
    assert len(refusal(settings, "fetch", id=f"{document_id}#part={part}").splitlines()) == 1


@pytest.mark.parametrize(
    "uri",
    [
        "locator://document/nothing",
        "locator://document/..%2F..%2Fetc%2Fpasswd",
        "locator://document/%2Fetc%2Fpasswd",
        "locator://document/x%00y",
        "file:///etc/passwd",
    ],
)
def test_a_hostile_resource_reads_nothing(settings: Settings, uri: str) -> None:
    async def conversation(client: Client) -> int:
        with pytest.raises(MCPError) as refused:
            await client.read_resource(uri)
        return refused.value.code

    assert talk(settings, conversation) == INVALID_PARAMS


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "query: Field required"),
        ({"query": "x", "top_k": 21}, "top_k"),
        ({"query": "x", "filters": {"path": "/etc"}}, "filters.path"),
        ({"query": "x", "filters": {"modified_after": "soon"}}, "filters.modified_after"),
        ({"query": "x", "filters": {"modified_after": "2025-01-01", "modified_before": "2024-01-01"}}, "期間が空"),
        ({"query": "x", "filters": {"file_types": ["spoon"]}}, "spoon"),
        ({"query": " \n"}, "質問が空"),
        ({"query": "長" * 1001}, "1001"),
    ],
)
def test_wrong_arguments_are_refused_in_one_sentence(
    settings: Settings, arguments: dict[str, object], problem: str
) -> None:
    sentence = refusal(settings, "get_evidence", **arguments)
    assert problem in sentence
    assert len(sentence.splitlines()) == 1
    assert "pydantic" not in sentence


def test_an_error_names_no_path_of_this_machine(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("not a folder")
    sentence = refusal(load_settings(locator_home=home), "search", query="議事録")
    assert "LOCATOR_HOME に書き込めません: LOCATOR_HOME（" in sentence
    assert str(tmp_path) not in sentence


def test_a_fault_of_the_program_tells_the_client_nothing_about_itself(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(settings: Settings) -> Locator:
        raise RuntimeError(f"{SECRET} at {settings.home}")

    monkeypatch.setattr(composition_root, "open_locator", broken)
    assert refusal(settings, "search", query="議事録") == "Error executing tool search"
