"""Questions to live services with the one thing each is about, in two halves, and things that only look alike."""

from __future__ import annotations

from tests.fakes.searchable_services import Thing

DOCS, HUB, CHAT, WIKI = (
    "https://docs.google.com/document/d/",
    "https://github.com/",
    "https://acme.slack.com/archives/",
    "https://wiki.example/",
)


def file(name: str, title: str, text: str) -> Thing:
    return Thing("drive", "file", f"{DOCS}{name}", title, text)


def message(name: str, channel: str, author: str, text: str) -> Thing:
    return Thing("slack", "message", f"{CHAT}{name}", f"#{channel} {author}", text, channel, author)


def issue(place: str, number: int, title: str, text: str, kind: str = "issue") -> Thing:
    path = "pull" if kind == "pull_request" else "issues"
    return Thing("github", kind, f"{HUB}{place}/{path}/{number}", f"{place}#{number} {title}", text, place)


def code(place: str, path: str, text: str) -> Thing:
    return Thing("github", "code", f"{HUB}{place}/blob/main/{path}", f"{place} {path}", text, place)


def page(name: str, title: str, text: str) -> Thing:
    return Thing("wiki", "page", f"{WIKI}{name}", title, text)


NOISE = [
    *(
        file(
            f"noise-file-{n:04}",
            f"週次報告 第{n}週",
            "設計、障害、移行、リリースの一覧と関連資料。担当は田中。原因は調査中。",
        )
        for n in range(8)
    ),
    *(
        message(
            f"N{n}",
            "random",
            "ito 伊藤 健",
            "移行と設計の件、資料を見てください。障害の原因は調査中です。田中さんにも確認します。",
        )
        for n in range(8)
    ),
    *(issue("acme/other", n, "障害の一覧", "関連する Issue の一覧。設計とリリースの資料。") for n in range(900, 908)),
    *(issue("acme/other", n, "設計の変更", "関連資料を更新する。", "pull_request") for n in range(910, 918)),
    *(code("acme/other", f"docs/notes{n}.md", "設計 移行 リリース 一覧 資料 障害") for n in range(8)),
    *(page(f"noise-{n}", f"連絡事項 {n}", "設計と移行の一覧。障害の資料。") for n in range(8)),
]

THINGS = [
    *NOISE,
    issue("acme/alpha", 123, "ログインが二重に記録される", "監査の行が二つ出る。"),
    issue("acme/alpha", 7, "起動が遅い", "証明書の検査に時間がかかる。"),
    issue("acme/beta-api", 45, "タイムアウトを延ばす", "上流が 30 秒で切る。", "pull_request"),
    issue("acme/beta-api", 46, "依存の更新", "毎月の更新。", "pull_request"),
    code("acme/beta-api", "src/retry.py", "RETRY_LIMIT = 3"),
    code("acme/gamma", "deploy/nginx.conf", "client_max_body_size 50m;"),
    issue("acme/gamma", 301, "添付の上限", "50 MB を超える添付が落ちる。"),
    issue("acme/gamma", 12, "Webhook の署名検証", "HMAC を確かめる。"),
    file("incident-19610", "INC-19610 決済停止 報告書", "決済が二時間止まった。証明書の期限切れ。"),
    file("incident-19611", "INC-19611 配送遅延 報告書", "倉庫の回線が切れた。"),
    file("retention-rules", "監査証跡 保管要領", "監査ログの保存期間は七年とする。"),
    file("expense-rules1", "旅費規程", "経費精算は翌月五日までに申請する。"),
    file("nightly-batch1", "夜間バッチ 運用手順", "夜間バッチを止めるときは当番に連絡する。"),
    file("server-plan-01", "サーバ増設計画", "来期に三台を増やす。"),
    file("spec-22261-cmp", "TS 22.261 差分メモ", "リリース 19 で加わった要求。"),
    file("orion-kickoff1", "Project Orion キックオフ", "目的と体制。"),
    file("vendor-list-01", "取引先名簿", "ミナト精機株式会社、青葉物流。"),
    file("reorg-memo-001", "組織変更のお知らせ", "高橋は大阪支店へ異動する。"),
    message("M1", "general", "sato 佐藤 花子", "年末の休業は 12 月 29 日からです。"),
    message("M2", "general", "kimura 木村 学", "駐車場の工事が始まります。"),
    message("M3", "infra", "kimura 木村 学", "証明書は自動で更新するようにしました。"),
    message("M4", "infra", "tanaka 田中 一郎", "バックアップ先を東京から大阪に変えました。"),
    message("M5", "alpha-leads", "tanaka 田中 一郎", "公開日は 11 月 30 日に決まりました。"),
    message("M6", "alpha-leads", "sato 佐藤 花子", "公開日の告知文を用意します。"),
    message("M7", "design-review", "suzuki 鈴木 次郎", "配色の案 B にします。"),
    message("M8", "support", "mori 森 涼子", "ミナト精機から納期の問い合わせがありました。"),
    message("M9", "support", "mori 森 涼子", "再発防止は INC-19611 にまとめてあります。"),
    message(
        "M10", "support", "abe 阿部 誠", "添付が落ちる件は https://github.com/acme/gamma/issues/301 で追っています。"
    ),
    message("M11", "support", "abe 阿部 誠", "署名の検証漏れは acme/gamma#12 を見てください。"),
    message("M12", "雑談", "ito 伊藤 健", "新しい社員食堂のカレーがおいしい。"),
    page("vpn", "VPN の接続方法", "在宅勤務では二要素認証を使う。"),
    page("oncall", "当番表", "当番の引き継ぎは月曜の朝会で行う。"),
    page("printer", "複合機の使い方", "用紙切れのときは総務に連絡する。"),
    page("glossary", "社内用語集", "スプリント、ベロシティ。"),
]

Question = tuple[str, str]

FIRST_HALF: list[Question] = [
    ("acme/alpha の関連 Issue 一覧", f"{HUB}acme/alpha/issues/7"),
    ("acme/alpha#123 はどうなった？", f"{HUB}acme/alpha/issues/123"),
    ("INC-19610 の原因は？", f"{DOCS}incident-19610"),
    ("#general で佐藤さんが書いた年末の休業の連絡", f"{CHAT}M1"),
    ("@tanaka が #infra で話していたバックアップ先", f"{CHAT}M4"),
    ("田中さんが書いた公開日", f"{CHAT}M5"),
    ("「夜間バッチ」を止める手順の資料はどこ？", f"{DOCS}nightly-batch1"),
    ("サーバーの増設に関する資料", f"{DOCS}server-plan-01"),
    ("RETRY_LIMIT はどこで決めている？", f"{HUB}acme/beta-api/blob/main/src/retry.py"),
    ("VPN の接続方法と二要素認証", f"{WIKI}vpn"),
    ("監査ログの保存期間は何年？", f"{DOCS}retention-rules"),
    ("倉庫の再発防止はどこにまとめた？", f"{DOCS}incident-19611"),
    ("添付が落ちる件の Issue", f"{HUB}acme/gamma/issues/301"),
    ("高橋さんの異動のお知らせ", f"{DOCS}reorg-memo-001"),
    ("Project Orion の資料一覧", f"{DOCS}orion-kickoff1"),
]

SECOND_HALF: list[Question] = [
    ("acme/beta-api の PR 45 のレビューコメント", f"{HUB}acme/beta-api/pull/45"),
    ("https://github.com/acme/alpha/issues/7 の結論を教えて", f"{HUB}acme/alpha/issues/7"),
    ("TS 22.261 の差分はどこにまとめた？", f"{DOCS}spec-22261-cmp"),
    ("infra チャンネルの証明書の更新の話", f"{CHAT}M3"),
    ("@kimura さんの駐車場の投稿", f"{CHAT}M2"),
    ("鈴木さんは配色をどの案に決めた？", f"{CHAT}M7"),
    ("ミナト精機からの問い合わせ", f"{CHAT}M8"),
    ("経費精算の締め切りはいつまで？", f"{DOCS}expense-rules1"),
    ("当番の引き継ぎはいつ行う？", f"{WIKI}oncall"),
    ("nginx の client_max_body_size の設定", f"{HUB}acme/gamma/blob/main/deploy/nginx.conf"),
    ("署名の検証漏れはどの Issue で追っている？", f"{HUB}acme/gamma/issues/12"),
    ("#雑談 のカレーの話題", f"{CHAT}M12"),
    ("複合機が用紙切れになったら？", f"{WIKI}printer"),
    ("Where is the kickoff document of Project Orion?", f"{DOCS}orion-kickoff1"),
    ("INC-19611 の配送遅延の報告書", f"{DOCS}incident-19611"),
]


FURTHER: list[Question] = [
    ("添付の上限について書かれた Issue はどれ？", f"{HUB}acme/gamma/issues/301"),
    ("acme/alpha#7 の状況", f"{HUB}acme/alpha/issues/7"),
    ("INC-19611 では何が起きた？", f"{DOCS}incident-19611"),
    ("佐藤さんが #alpha-leads に書いた告知文の件", f"{CHAT}M6"),
    ("旅費規程はどこにある？", f"{DOCS}expense-rules1"),
    ("青葉物流が載っている名簿", f"{DOCS}vendor-list-01"),
    ("Webhook の署名検証の Issue", f"{HUB}acme/gamma/issues/12"),
    ("社内用語集の場所", f"{WIKI}glossary"),
    ("夜間バッチの運用手順", f"{DOCS}nightly-batch1"),
    ("@suzuki の配色の話", f"{CHAT}M7"),
    ("acme/beta-api#46 は何の更新？", f"{HUB}acme/beta-api/pull/46"),
    ("二要素認証の使い方", f"{WIKI}vpn"),
    ("client_max_body_size はいくつ？", f"{HUB}acme/gamma/blob/main/deploy/nginx.conf"),
    ("監査証跡の保管要領", f"{DOCS}retention-rules"),
    ("社員食堂のカレーについての投稿", f"{CHAT}M12"),
    ("当番表を見たい", f"{WIKI}oncall"),
    ("大阪にバックアップ先を変えたのは誰？", f"{CHAT}M4"),
    ("ログインが二重に記録される件", f"{HUB}acme/alpha/issues/123"),
    ("駐車場の工事のお知らせ", f"{CHAT}M2"),
    ("Where is the memo on TS 22.261?", f"{DOCS}spec-22261-cmp"),
]
"""Never tuned for."""


WORDS_OF_A_MODEL: dict[str, str] = {
    "acme/alpha の関連 Issue 一覧": "repository:acme/alpha",
    "acme/alpha#123 はどうなった？": "repository:acme/alpha #123",
    "INC-19610 の原因は？": "INC-19610",
    "#general で佐藤さんが書いた年末の休業の連絡": "channel:general person:佐藤 年末 休業",
    "@tanaka が #infra で話していたバックアップ先": "channel:infra person:tanaka バックアップ",
    "田中さんが書いた公開日": "person:田中 公開日",
    "「夜間バッチ」を止める手順の資料はどこ？": "夜間バッチ 手順",
    "サーバーの増設に関する資料": "サーバ 増設",
    "RETRY_LIMIT はどこで決めている？": "RETRY_LIMIT",
    "VPN の接続方法と二要素認証": "VPN 二要素認証",
    "監査ログの保存期間は何年？": "監査ログ 保存期間",
    "倉庫の再発防止はどこにまとめた？": "倉庫 再発防止",
    "添付が落ちる件の Issue": "添付 落ちる",
    "高橋さんの異動のお知らせ": "高橋 異動",
    "Project Orion の資料一覧": "Project Orion",
    "acme/beta-api の PR 45 のレビューコメント": "repository:acme/beta-api #45",
    "https://github.com/acme/alpha/issues/7 の結論を教えて": "repository:acme/alpha #7",
    "TS 22.261 の差分はどこにまとめた？": "22.261 差分",
    "infra チャンネルの証明書の更新の話": "channel:infra 証明書",
    "@kimura さんの駐車場の投稿": "person:kimura 駐車場",
    "鈴木さんは配色をどの案に決めた？": "person:鈴木 配色",
    "ミナト精機からの問い合わせ": "ミナト精機 問い合わせ",
    "経費精算の締め切りはいつまで？": "経費精算",
    "当番の引き継ぎはいつ行う？": "当番 引き継ぎ",
    "nginx の client_max_body_size の設定": "nginx client_max_body_size",
    "署名の検証漏れはどの Issue で追っている？": "署名 検証",
    "#雑談 のカレーの話題": "channel:雑談 カレー",
    "複合機が用紙切れになったら？": "複合機 用紙切れ",
    "Where is the kickoff document of Project Orion?": "Orion キックオフ",
    "INC-19611 の配送遅延の報告書": "INC-19611",
}
"""The names and words that a model takes out of each question of both halves, written down before they were tried."""
