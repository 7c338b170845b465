"""Questions of people to the second company, each with its kind and the file somebody has in mind."""

from __future__ import annotations

from pathlib import PurePosixPath

from locator_search.evaluation.flow_dataset import FlowQuestion
from tests.builders.second_company import english, rules, series
from tests.builders.second_company.nearly import IN_OTHER_WORDS, MISHAPS
from tests.builders.second_company.papers import Paper

TOPICS: tuple[tuple[str, ...], ...] = (
    ("事故報告書", "安全品質室/事故報告書/"),
    ("事故の報告", "安全品質室/事故報告書/2026/"),
    ("提案書", "営業推進部/提案/"),
    ("冷凍保管の提案書", "営業推進部/提案/", "冷凍保管"),
    ("返品物流のご提案", "営業推進部/提案/", "返品物流"),
    ("見積書", "営業推進部/見積/"),
    ("御見積書をください", "営業推進部/見積/"),
    ("議事録", "運行管理部/議事録/"),
    ("会議の議事録", "社長室/議事録/"),
    ("安全衛生委員会", "安全品質室/議事録/"),
    ("配車改善会議の記録", "運行管理部/議事録/"),
    ("倉庫改善定例", "倉庫部/議事録/"),
    ("情報化推進会議の議事録", "情報企画部/議事録/"),
    ("週報", "倉庫部/週報/"),
    ("鳥栖センターの週報", "倉庫部/週報/鳥栖/"),
    ("センターの週報が見たい", "倉庫部/週報/郡山/"),
    ("契約書", "総務法務課/契約書/"),
    ("寄託契約", "総務法務課/契約書/", "寄託契約"),
    ("月次業績報告", "財務部/月次/"),
    ("今月までの業績", "財務部/月次/"),
    ("みすず製菓", "営業推進部/見積/みすず製菓/"),
    ("大和路乳業の資料", "営業推進部/提案/大和路乳業/"),
    ("ツバキ薬品", "営業推進部/提案/ツバキ薬品/"),
    ("有明青果様向け", "営業推進部/見積/有明青果/"),
    ("高松センター", "倉庫部/週報/高松/"),
    ("岡崎センターの事故", "安全品質室/事故報告書/", "岡崎"),
    ("荷崩れ", "安全品質室/事故報告書/", "荷崩れ"),
    ("フォークリフトの事故", "安全品質室/事故報告書/", "フォークリフト"),
    ("規程", "人事総務部/規程/"),
    ("社内の規程一覧", "財務部/規程/"),
    ("手順書", "倉庫部/手順書/"),
    ("マニュアル", "情報企画部/マニュアル/"),
    ("お知らせ", "人事総務部/通達/", "お知らせ"),
    ("計画書", "社長室/計画/"),
)
"""A question, where the file lies that is looked for, and a word of it: one in the second half of the files there, so that it is not the one that comes first anyway."""

UNANSWERABLE = (
    "社員旅行の積立金の残高",
    "株主総会の招集通知",
    "特許の出願一覧",
    "海外子会社の連結決算短信",
    "野球部のユニフォーム代",
    "役員の生命保険の証券",
    "ドローンの飛行許可申請",
    "社歌の楽譜",
    "テレビCMの絵コンテ",
    "大学との共同研究契約",
    "動物病院の予約",
    "フランス語の会社案内",
    "映画館の座席表",
    "化学プラントの爆発限界の計算",
    "原子炉の定期検査の記録",
    "弁当の献立表",
    "保育園の園だより",
    "マンションの管理組合の総会資料",
    "スキー合宿のしおり",
    "古文書の翻刻",
    "漁業権の更新申請",
    "オーケストラの演奏会のチラシ",
    "望遠鏡の組み立て方",
    "公認会計士の論文式試験の解答",
    "半導体の歩留まりの改善案",
    "ゲームのシナリオ",
    "recipe for apple pie",
    "minutes of the shareholders meeting in Osaka",
    "patent application for a drone",
    "guitar lesson schedule",
    "INC-99999",
    "見積書 M-31-0001",
    "契約番号 C-31-777",
)


def questions() -> tuple[FlowQuestion, ...]:
    """All of them, numbered by kind."""
    incidents, quotations, contracts = (
        tuple(make()) for make in (series.incidents, series.quotations, series.contracts)
    )
    told = [*rules.PAPERS, *english.PAPERS]
    mishaps = [
        (mishap, incidents[m * len(series.SITES) + m % len(series.SITES)]) for m, mishap in enumerate(series.MISHAPS)
    ]
    numbered = [*incidents[3::9], *quotations[1::4], *contracts[2::4]]
    kinds = {"事故報告書": "事故報告書", "見積書": "見積書"}
    asked: dict[str, list[tuple[str, str]]] = {
        "paraphrase": [
            *((IN_OTHER_WORDS[_title(paper)], paper.path) for paper in rules.PAPERS),
            *(
                (f"{series.SITES[m % len(series.SITES)]}で{MISHAPS[mishap.title]}ときの報告", paper.path)
                for m, (mishap, paper) in enumerate(mishaps)
            ),
        ],
        "reworded": [(paper.asked, paper.path) for paper in (*told, *incidents[4::7])],
        "english": [(IN_OTHER_WORDS[_title(paper)], paper.path) for paper in english.PAPERS],
        "number": [(_number(paper.path), paper.path) for paper in numbered],
        "number+kind": [
            (
                f"{_number(paper.path)} {kinds.get(_kind(paper.path), '契約書')}"
                if place % 2
                else f"{kinds.get(_kind(paper.path), '契約書')} {_number(paper.path)}を見せて",
                paper.path,
            )
            for place, paper in enumerate([*incidents[5::9], *quotations[2::4], *contracts[1::4]])
        ],
        "topic": [(text, _one_of(*where)) for text, *where in TOPICS],
    }
    answered = [
        FlowQuestion(f"{kind}-{place}", text, kind, (path,))
        for kind, pairs in asked.items()
        for place, (text, path) in enumerate(pairs, start=1)
    ]
    unanswered = [
        FlowQuestion(f"unanswerable-{place}", text, "unanswerable", ())
        for place, text in enumerate(UNANSWERABLE, start=1)
    ]
    return (*answered, *unanswered)


def _kind(path: str) -> str:
    return PurePosixPath(path).stem.partition("_")[0]


def _title(paper: Paper) -> str:
    return paper.text.partition("\n")[0].removeprefix("# ")


def _number(path: str) -> str:
    return PurePosixPath(path).stem.split("_")[1]


def _one_of(folder: str, word: str = "") -> str:
    from tests.builders.second_company.folder import PAPERS

    there = sorted(paper.path for paper in PAPERS if paper.path.startswith(folder) and word in paper.text)
    return there[2 * len(there) // 3]
