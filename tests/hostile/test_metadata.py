"""Names and reasons in Dagster's metadata, whose Markdown its UI renders."""

from __future__ import annotations

import dagster as dg
import pytest

from locator_assets.drive.checks import _lines
from locator_assets.staged.events import _value
from locator_search.ports import KnownFile
from tests.builders.index import file_ref
from tests.hostile.inert import active_in_markdown
from tests.hostile.markdown_grammar import EVERY_WAY

LINES = ["a\r- ![x](//evil.example/a.png)", "a\u2028\n\n![x](//evil.example/a.png)", "``` `` ![x](y)", "`"]
NAMES = [*EVERY_WAY[::7], *LINES]


@pytest.mark.parametrize("number", range(4))
def test_a_name_in_the_list_of_a_check_is_inert(number: int) -> None:
    files = [KnownFile(file_ref(file_name=name), "failed", reason=name) for name in NAMES[number::4]]
    assert active_in_markdown(_lines(files)) == []


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x", "//evil.example", "x"])
def test_only_addresses_of_files_become_links(link: str) -> None:
    assert isinstance(_value("link", link), dg.TextMetadataValue)
    assert isinstance(_value("link", "https://drive.google.com/file/d/1"), dg.UrlMetadataValue)
