"""What people do with results, by Streamlit's own test runner over a real index of real files."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.surfaces.test_page_app import app, ask, settings, shown

__all__ = ["app", "settings"]


def test_similar_documents_open_without_the_versions_of_the_result(app: AppTest) -> None:
    ask(app, "開発部の週報 第3週")
    next(button for button in app.button if button.label == "似た文書").click().run()
    page = shown(app)
    assert "似ている順に 10 件示します" in page
    drawn = [element.value for element in app.html if 'class="dl-card"' in element.value]
    assert sum("週報" in card for card in drawn) >= 10


def test_a_file_that_is_like_no_other_is_said_so(app: AppTest) -> None:
    ask(app, "点検記録")
    next(button for button in app.button if button.label == "似た文書").click().run()
    assert "に似た文書は見つかりませんでした。" in shown(app)
