"""A crawl under way says how fast it is once it knows, and the time left from the beginning."""

from __future__ import annotations

from locator_search.cli.operating.texts import OperatingTexts
from locator_search.cli.operating.watching import progress_line
from locator_search.ports.crawls import CrawlProgress
from streamlit_app.status.components import speed_line
from streamlit_app.status.texts import StatusTexts


def test_the_command_tells_no_speed_before_a_file_is_done() -> None:
    say = OperatingTexts.of("ja")
    assert progress_line(say, CrawlProgress(500, 0, 1.0), 500) == "0/500 件済み、残り約 0:01:15"
    assert progress_line(say, CrawlProgress(480, 20, 20.0), 500).endswith("（1 分に 60 件）")
    assert progress_line(say, CrawlProgress(500, 0, None), 500) == ""


def test_the_page_tells_no_speed_before_a_file_is_done() -> None:
    say = StatusTexts.of("ja")
    assert speed_line(say, CrawlProgress(500, 0, 1.0)) == "残り約 0:01:15"
    assert speed_line(say, CrawlProgress(480, 20, 20.0)).startswith("1 分に 60 件、残り約 ")
    assert speed_line(say, CrawlProgress(500, 0, None)) == "この 1 分間に索引に入ったファイルはありません"
