"""What a question to live services names, and its telling words."""

from __future__ import annotations

import pytest

from locator_search.adapters.offline.question_parts import QuestionParts, question_parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("acme/alpha の関連 Issue 一覧", QuestionParts(("acme/alpha",), (), (), ())),
        ("リポジトリacme/alphaの#12と@tanakaさん", QuestionParts(("acme/alpha",), (), ("tanaka",), ("#12",))),
        ("PR#88は誰がマージした？", QuestionParts((), (), (), ("#88", "マージ"))),
        (
            "Slackのgeneralチャンネルで佐藤さんが共有した構成図",
            QuestionParts((), ("general",), ("佐藤",), ("構成図", "共有")),
        ),
        ("昨日田中部長が #雑談 で書いた移行の話", QuestionParts((), ("雑談",), ("田中",), ("移行",))),
        ("「A案」と『B 案』の比較", QuestionParts((), (), (), ("A案", "B 案", "比較"))),
        ("サーバーの増設とサーバ室", QuestionParts((), (), (), ("サーバー", "増設"))),
        ("INC-19610 と TS 22.261 と 8443", QuestionParts((), (), (), ("TS 22.261", "8443", "INC-19610"))),
        ("src/retry.py の RETRY_LIMIT、CI/CD", QuestionParts((), (), (), ("src/retry.py", "CI/CD", "RETRY_LIMIT"))),
        ("and/or の扱い", QuestionParts((), (), (), ("扱い",))),
        ("Project Orion の資料一覧", QuestionParts((), (), (), ("Project Orion",))),
        ("資料一覧", QuestionParts((), (), (), ("資料一覧",))),
    ],
)
def test_the_parts_of_a_question(question: str, parts: QuestionParts) -> None:
    assert question_parts(question, {"slack", "github"}) == parts
