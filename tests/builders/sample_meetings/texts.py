"""The texts of the invented contributions. Companies, features and numbers are made up."""

from __future__ import annotations

from tests.builders.sample_meetings.markup import Del, Heading, Ins, NewPage, Para, Part, Table

_COVER = Table(
    [
        ["CHANGE REQUEST"],
        ["Specification", "22.900", "CR", "0041", "rev", "-", "Current version", "20.1.0"],
        ["Title", "Cause value when a slice is rejected"],
        ["Source to WG", "Kaede Telecom, Northlight"],
        ["Category", "B", "Release", "Rel-20"],
        ["Reason for change", "A UE whose slice is rejected is not told why, so it tries the same slice again."],
        ["Summary of change", "A cause value is added to the rejection, and the UE waits before it tries again."],
        ["Consequences if not approved", "UEs keep asking for slices they cannot get, which loads the network."],
        ["Clauses affected", "5.2.1, 5.2.1a, A.1"],
    ]
)

_SCOPE: list[Part] = [
    Heading("1", "Scope"),
    Para("The present document describes service requirements for access to network slices."),
    Heading("5", "Requirements"),
    Heading("5.2", "Access to slices", 2),
]

SLICE_REJECTION: list[Part] = [
    _COVER,
    NewPage(),
    *_SCOPE,
    Heading("5.2.1", "Registration", 3),
    Para(
        "The UE shall include the identifier of the slice in the registration request. ",
        Del("The network may reject the request."),
        Ins("The network shall reject the request with a cause value when the slice is not available."),
    ),
    Heading("5.2.1a", "Waiting time", 3),
    Para(Ins("A UE that was rejected with a cause value shall wait for at least 30 seconds before it tries again.")),
    Heading("5.2.2", "Deregistration", 3),
    Para("The UE shall deregister from all slices before it is switched off."),
    NewPage(),
    Heading("Annex A (informative):", "Cause values"),
    Heading("A.1", "List of cause values", 2),
    Table([["Value", "Meaning"], ["1", "The slice does not exist."], ["2", "The slice is full."]]),
    Para(Ins("Value 3: the slice is not available in this area.")),
]

SLICE_REJECTION_REVISED: list[Part] = [
    *SLICE_REJECTION[:7],
    Para(
        "The UE shall include the identifier of the slice in the registration request. ",
        Del("The network may reject the request."),
        Ins("The network shall reject the request with a cause value when the slice is not available or is full."),
    ),
    Heading("5.2.1a", "Waiting time", 3),
    Para(
        Ins("A UE that was rejected with a cause value shall wait before it tries again. "),
        Ins("The network may tell the UE how long, up to 60 seconds.", "Bergström (Northlight)"),
    ),
    *SLICE_REJECTION[10:],
]

SLEEPING_CELLS: list[Part] = [
    Heading("", "Discussion on cells that sleep at night"),
    Heading("1", "Introduction"),
    Para("Cells use energy at night although hardly anybody is connected. Measurements are in the attachment."),
    Heading("2", "Discussion"),
    Heading("2.1", "Waking a cell", 2),
    Para("A sleeping cell wakes when a UE in a neighbouring cell reports that its signal is weak."),
    Para("Waking takes between two and five seconds. During this time the neighbouring cell keeps the UE."),
    Heading("2.2", "Emergency calls", 2),
    Para("An emergency call shall never wait for a cell to wake."),
    Heading("3", "Proposal"),
    Para("Proposal 1: a cell may sleep when fewer than three UEs were connected during fifteen minutes."),
    Para("Proposal 2: study how a UE learns that a cell is asleep."),
]

MEASUREMENTS: list[Part] = [
    Heading("1", "Measurements"),
    Table(
        [
            ["Hour", "Connected UEs", "Energy (kWh)"],
            ["01:00", "4", "1.9"],
            ["02:00", "1", "1.8"],
            ["03:00", "0", "1.8"],
            ["04:00", "2", "1.8"],
        ]
    ),
    Para("Figure 1: energy per hour does not follow the number of connected UEs."),
]

LIAISON: list[Part] = [
    Heading("", "Reply LS on waiting times after a rejection"),
    Heading("1", "Overall description"),
    Para("SA1 thanks the sender for the question on waiting times after a slice was rejected."),
    Para(
        "SA1 is of the opinion that ",
        Del("no waiting time is needed"),
        Ins("a waiting time of at least 30 seconds is needed"),
        ".",
    ),
    Heading("2", "Actions"),
    Para("SA1 kindly asks the group to take this answer into account."),
]

JAPANESE_PROPOSAL: list[Part] = [
    Heading("", "災害時の優先接続に関する提案"),
    Heading("1", "はじめに"),
    Para("大規模な災害が起きると、避難所の周りの基地局に接続が集中する。現行の要件には優先順位の定めがない。"),
    Heading("2", "提案"),
    Heading("2.1", "優先接続の対象", 2),
    Para("避難所の管理者が登録した端末を、災害時に限り優先して接続する。"),
    Heading("2.2", "期間", 2),
    Para("優先接続は発令から七十二時間で終わる。", Ins("延長は自治体の要請による。")),
    Heading("3", "まとめ"),
    Para("本寄書は、5.2 節への要件の追加を提案する。"),
]

SATELLITE: list[Part] = [
    Heading("", "Requirements for registration over a satellite link"),
    Heading("5", "Requirements"),
    Heading("5.2", "Satellite access", 2),
    Heading("5.2.1", "Registration", 3),
    Para("The UE shall support registration over a satellite link with a round trip of up to 600 milliseconds."),
    NewPage(),
    Heading("5.2.2", "Coverage", 3),
    Para("The network shall tell the UE when satellite coverage ends, at least five minutes before."),
]

WORK_PLAN: list[Part] = [
    Heading("", "Work plan of the study on sleeping cells"),
    Heading("1", "Time table"),
    Table([["Meeting", "Goal"], ["SA1#110", "Scope agreed"], ["SA1#111", "First requirements"]]),
    Para("The rapporteur proposes to finish the study at SA1#113."),
]

AGENDA_NOTES = [
    [
        "S1-254004 Notes of the drafting session on slices",
        "1 Agreements",
        "The session agreed that a rejection shall carry a cause value.",
        "The waiting time is left to the revision of S1-254001.",
    ],
    ["2 Open points", "Whether the network may tell the waiting time is open."],
]
