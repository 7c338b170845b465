"""Wordings that tell the same are proved, and beside each one that tells something else is not."""

from __future__ import annotations

import pytest

from tests.unit.test_claims_proved import case_of, checked

PAIRS = [
    # the order of words
    (
        "The relay reports its state to the hub once every 5 minutes.",
        "Once every 5 minutes, the relay reports its state to the hub.",
    ),
    ("復旧の間、受付の画面は停止しなかった。", "受付の画面は、復旧の間、停止しなかった。"),
    (
        "When the load stays above 40 ms the relay may drop calls.",
        "The relay may drop calls when the load stays above 40 ms.",
    ),
    (
        "The relay sends the list only if the hub asked for it.",
        "Only if the hub asked for it does the relay send the list.",
    ),
    # where it was read
    ("The timer runs for 5 seconds.", "The document states that the timer runs for 5 seconds."),
    ("パスワードは12文字以上とする。", "資料によると、パスワードは12文字以上とする。"),
    ("Step 7: The relay sends the list to the hub.", "The list is sent to the hub by the relay."),
    # who holds, has or uses something
    ("Paging is not supported in Release 12.", "Release 12 does not support paging."),
    ("The lifetime of the ticket is limited to 24 hours.", "The ticket has a lifetime limited to 24 hours."),
    ("The backup mode shall not be used for voice calls.", "Voice calls shall not use the backup mode."),
    ("既存の装置には影響がない。", "既存の装置に影響はない。"),
    ("Existing relays have no effect on the hub.", "既存のリレーにはハブへの影響がない。"),
    # how binding it is
    ("The relay is not required to scan channel 3.", "The relay need not scan channel 3."),
    (
        "If the relay is unable to decode the list, the hub shall stop.",
        "If the relay cannot decode the list, the hub shall stop.",
    ),
    ("本変更は利用者に影響を与えない。", "本変更は利用者に影響しない。"),
    # what runs over a line, and ranges
    (
        "The target range for indoor halls of this size\nis between 10 and 50 metres.",
        "The target range for indoor halls of this size is between 10 and 50 metres.",
    ),
    ("The target range is between 10 and 50 metres.", "目標範囲は10〜50メートルである。"),
]
OTHERS = [
    ("The relay will send the list to the hub once a day.", "Once a day, the relay has sent the list to the hub."),
    ("The hub is sent the list once a day.", "Once a day, the hub sends the list."),
    ("復旧の間、画面は停止する予定である。", "画面は、復旧の間、停止した。"),
    ("復旧の間、SMFは一覧を送信する。", "SMFは、復旧の間、一覧を送信される。"),
    ("The UE shall include the cell list.", "In the report, the UE shall include the cell list."),
    ("UEは一覧を含める。", "通知では、UEは一覧を含める。"),
    ("The relay reports to the hub once every 5 minutes.", "Once every 5 minutes, the hub reports to the relay."),
    ("受付の画面が停止し、倉庫の画面が再開した。", "倉庫の画面が停止し、受付の画面が再開した。"),
    (
        "The relay sends the list only if the hub asked for it.",
        "Only if the relay asked for it does the hub send the list.",
    ),
    (
        "With small gaps, the loss is lower than with long gaps.",
        "With long gaps, the loss is lower than with small gaps.",
    ),
    ("文書Aは、文書Bの規定を除く。", "文書Bによると、規定を除く。"),
    ("Proposal 4: The relay sends the list every 160 ms.", "The relay sends the list every 160 ms."),
    ("Release 12 is not supported in the relay.", "Release 12 does not support the relay."),
    ("The ticket of the lifetime is limited to 24 hours.", "The ticket has a lifetime limited to 42 hours."),
    ("本変更は利用者に影響を与えない。", "本変更は利用者に影響する。"),
    ("この部品は手に入りにくい。", "この部品は手に入りやすい。"),
    ("物語には layout blocks より raw text を優先する。", "物語には raw text より layout blocks を優先する。"),
    (
        "Interoperability of Rel-17 relays and Rel-18 hubs is not ensured.",
        "Rel-18のリレーとRel-17のハブの相互運用性は保証されない。",
    ),
    (
        "The hub shall stop if the relay is located outside the area.",
        "リレーがエリアの中に位置する場合、ハブは停止しなければならない。",
    ),
    ("The AI model is trained in the OAM.", "OAMモデルはAIで訓練される。"),
    ("The target range is between 10 and 50 metres.", "目標範囲は10〜60メートルである。"),
]


@pytest.mark.parametrize(("sentence", "claim"), PAIRS)
def test_the_same_told_otherwise_is_proved(sentence: str, claim: str) -> None:
    assert checked(case_of(claim, sentence)).supported


@pytest.mark.parametrize(("sentence", "claim"), OTHERS)
def test_something_else_is_not(sentence: str, claim: str) -> None:
    assert not checked(case_of(claim, sentence)).supported
