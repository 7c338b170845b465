"""The data of the mock services: three things each, the same every time, about one made-up project."""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]

DRIVE_FILES: tuple[Row, ...] = (
    {
        "id": "mock-alpha-design",
        "name": "Project Alpha 設計ドキュメント",
        "mimeType": "application/vnd.google-apps.document",
        "modifiedTime": "2026-10-14T05:20:00Z",
        "webViewLink": "https://docs.google.com/document/d/mock-alpha-design/edit",
        "owner": "佐藤 花子",
        "text": "Project Alpha 設計ドキュメント\n\n1. 目的\n受注データを基幹システムへ夜間に連携する。\n"
        "2. 構成\nAPI ゲートウェイ、変換ワーカー、監査ログの三層とする。\n"
        "3. 未決事項\n再送の上限回数は開発会議で決める。",
    },
    {
        "id": "mock-alpha-minutes",
        "name": "Project Alpha 定例会議 議事録 2026年10月",
        "mimeType": "application/pdf",
        "modifiedTime": "2026-10-28T09:00:00Z",
        "webViewLink": "https://drive.google.com/file/d/mock-alpha-minutes/view",
        "owner": "田中 一郎",
        "text": "Project Alpha 定例会議 議事録\n日時: 2026年10月28日\n"
        "決定事項: 再送の上限は三回。リリース日は11月30日。\n宿題: 田中が監査ログの保存期間を確認する。",
    },
    {
        "id": "mock-expense-rules",
        "name": "経費精算規程 2026年度版",
        "mimeType": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "modifiedTime": "2026-04-01T00:00:00Z",
        "webViewLink": "https://docs.google.com/document/d/mock-expense-rules/edit",
        "owner": "総務部",
        "text": "経費精算規程\n第3条 交通費は月末までに申請する。\n第7条 1万円を超える立替は事前に承認を得る。",
    },
)

SLACK_MESSAGES: tuple[Row, ...] = (
    {
        "MsgID": "1761613200.000100",
        "UserName": "sato",
        "RealName": "佐藤 花子",
        "Channel": "C100 (#project-alpha)",
        "Text": "Project Alpha の設計ドキュメントを更新しました。再送の上限について意見をください。",
        "Time": "2026-10-28T01:00:00Z",
        "replies": (("田中 一郎", "三回でよいと思います。"), ("鈴木 次郎", "賛成です。議事録に残します。")),
    },
    {
        "MsgID": "1761699600.000200",
        "UserName": "tanaka",
        "RealName": "田中 一郎",
        "Channel": "G200 (#alpha-leads)",
        "Text": "リリース日は11月30日で社内合意。対外発表までは非公開でお願いします。",
        "Time": "2026-10-29T01:00:00Z",
        "replies": (),
    },
    {
        "MsgID": "1761786000.000300",
        "UserName": "suzuki",
        "RealName": "鈴木 次郎",
        "Channel": "D300 (@suzuki)",
        "Text": "監査ログの保存期間は何年にしますか。経費の規程だと7年です。",
        "Time": "2026-10-30T01:00:00Z",
        "replies": (("佐藤 花子", "設計では5年でしたが、7年に合わせましょう。"),),
    },
)

GITHUB_ISSUES: tuple[Row, ...] = (
    {
        "number": 42,
        "title": "夜間連携の再送が無限に繰り返される",
        "body": "Project Alpha の変換ワーカーで、相手が 503 を返すと再送が止まらない。上限を設ける必要がある。",
        "comments": [{"user": "tanaka", "body": "上限は三回に決まりました。"}],
    },
)
GITHUB_PULL_REQUESTS: tuple[Row, ...] = (
    {
        "number": 43,
        "title": "再送の上限を三回にする",
        "body": "#42 を直す。設計ドキュメントの 3. 未決事項も更新した。",
        "comments": [{"user": "sato", "body": "レビューしました。問題ありません。"}],
    },
)
GITHUB_FILES: tuple[Row, ...] = (
    {
        "path": "docs/design.md",
        "text": "# Project Alpha 設計\n\n再送の上限は `RETRY_LIMIT = 3`。監査ログは七年保存する。\n",
    },
)
GITHUB_REPOSITORY = "example-corp/project-alpha"
