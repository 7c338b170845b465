"""What goes wrong with a service is said in Japanese and in English, without secrets."""

from __future__ import annotations

import re
from string import Formatter
from typing import get_args

import pytest

from locator_search.core.service_faults import ENGLISH, JAPANESE, ServiceFault, ServiceFaultKind


@pytest.mark.parametrize("kind", get_args(ServiceFaultKind))
def test_every_kind_is_said_in_both_languages_with_the_same_values(kind: ServiceFaultKind) -> None:
    names = [{name for _, name, _, _ in Formatter().parse(form[kind]) if name} for form in (JAPANESE, ENGLISH)]
    assert names[0] == names[1]
    said = ServiceFault(kind, dict.fromkeys(names[0], "x")).sentence("ja")
    assert re.search("[ぁ-んァ-ヶ]", said) or said == "x"


def test_a_fault_inside_a_fault_is_said_in_the_same_language() -> None:
    inner = ServiceFault("no_tool", {"tool": "find", "tools": "read, search"})
    fault = ServiceFault("search_left_out", {"kind": "file", "problem": inner})
    assert fault.sentence("en") == (
        "The search `file` is left out: the server has no tool `find`; it has read, search."
    )
    assert fault.sentence("ja") == (
        "file の検索を省きます: サーバーにツール find がありません（あるのは read, search）。"
    )


def test_secrets_are_blotted_out_wherever_they_stand() -> None:
    inner = ServiceFault("error", {"detail": "no access with xoxp-1"})
    fault = ServiceFault("syntax_unread", {"uri": "syntax://xoxp-1", "problem": inner})
    assert "xoxp-1" not in fault.masked(lambda text: text.replace("xoxp-1", "***")).sentence()
