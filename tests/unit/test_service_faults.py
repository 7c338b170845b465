"""What goes wrong with a service is said in Japanese and in English, without secrets."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from locator_search.core.service_faults import ServiceFault, ServiceFaultKind
from locator_search.locales.service_faults import ServiceFaults, fault_sentence


@pytest.mark.parametrize("kind", get_args(ServiceFaultKind))
def test_every_kind_is_a_sentence_in_japanese(kind: ServiceFaultKind) -> None:
    names = re.findall(r"{(\w+)}", ServiceFaults.of("ja").sentences[kind])
    said = fault_sentence(ServiceFault(kind, dict.fromkeys(names, "x")), "ja")
    assert re.search("[ぁ-んァ-ヶ]", said) or said == "x"


def test_a_fault_inside_a_fault_is_said_in_the_same_language() -> None:
    inner = ServiceFault("no_tool", {"tool": "find", "tools": "read, search"})
    fault = ServiceFault("search_left_out", {"kind": "file", "problem": inner})
    assert fault_sentence(fault, "en") == (
        "The search `file` is left out: the server has no tool `find`; it has read, search."
    )
    assert fault_sentence(fault, "ja") == (
        "file の検索を省きます: サーバーにツール find がありません（あるのは read, search）。"
    )


def test_secrets_are_blotted_out_wherever_they_stand() -> None:
    inner = ServiceFault("error", {"detail": "no access with xoxp-1"})
    fault = ServiceFault("syntax_unread", {"uri": "syntax://xoxp-1", "problem": inner})
    assert "xoxp-1" not in fault_sentence(fault.masked(lambda text: text.replace("xoxp-1", "***")), "en")
