"""Words that say nothing about one file among others."""

from __future__ import annotations

_OFFICE_NOUNS = """
以下 以上 本件 当社 弊社 本社 内容 項目 番号 担当 担当者 日時 場所 出席 出席者 欠席 合計 小計 備考 作成 作成者 確認
確認者 報告 報告者 会議 会議室 記録 議題 結論 宿題 目的 概要 背景 単位 期限 承認 発行 対象 対象者 件名 区分 状況
結果 原因 対応 対策 課題 方法 手順 説明 説明書 資料 文書 書類 一覧 表 図 別紙 様式 氏名 部署 所属 年度 会社 会社名
社員 部門 四半期 通期 実施 使用 利用 変更 追加 開始 終了 予定 計画 実績 目標 比率 平均 最大 最小 数量 単価 金額 価格
条件 規定 例外 期間 情報 連絡 連絡先 問合せ 注意 準備 効果 影響 適用 活動 数字 累計 前提 版 初版 改訂 更新 最終更新
起案 起案者 決裁 決裁者 必要 可能 場合 自分 皆様 各位 先 第三者 相手方 書面 開示 検討 提出 配布 回答 依頼 質問
お客様 客先 名前 ファイル フォルダ データ テキスト ページ シート 行 列 名称 種類 宛先 送信者 送信日 作業 決定
決定事項 議事録 報告書
"""

_VAGUE_NOUNS = """
最新 資料 文書 書類 ファイル データ 一覧 内容 情報 件 場合 方法 もの 関係 関連 全部 自分 当社 弊社
"""

_SERVICE_NOUNS = """
issue issues イシュー プロジェクト project pr プルリク プルリクエスト pull request requests コード code
チケット ticket tickets メッセージ message messages 投稿 発言 スレッド thread threads チャンネル チャネル
channel channels リポジトリ レポジトリ repository repo コメント comment comments ドキュメント document
documents 議論 会話 やりとり やり取り 話 話題 経緯 dm リンク link url pdf スライド スプレッドシート
"""

_OFFICE_WORDS = """
january february march april june july august september october november december monday tuesday wednesday thursday
friday saturday sunday date page table number item items note notes name total version document file files text
section present place open points made within ten days day month year years week please thank regards new use used
using one two three four five six also following via per etc shall must might many much well need
needs provide provided include including included based yes
"""

_TITLES = """
さん 様 氏 殿 君 ちゃん 先生 部長 課長 社長 専務 常務 主任 係長 室長 所長 工場長 取締役 監査役 教授 博士
"""

_COUNTERS = """
年 月 日 時 分 秒 円 回 週 件 台 名 人 階 番 号 条 項 版 個 本 枚 度 期 倍 割 章 節 社 年間 月間 週間 日間 時間 分間
か月 ヶ月 千円 万円 億円
"""

_EMPTY_NOUNS = """
とおり こと もの ため ところ よう とき うち はず わけ ほか つもり たび まま さい ぶん あたり ころ くらい ほど みんな
"""

OFFICE_NOUNS = frozenset(_OFFICE_NOUNS.split())
"""Nouns of every office document. 議事録 and 報告書 tell something only as part of a longer word (経営会議議事録)."""

VAGUE_NOUNS = frozenset(_VAGUE_NOUNS.split())
"""Nouns of a question that tell nothing about the file that is looked for."""

SERVICE_NOUNS = frozenset(_SERVICE_NOUNS.split())
"""What live services hold, as `normalise` writes it: which of them is meant, not which thing."""

OFFICE_WORDS = frozenset(_OFFICE_WORDS.split())
"""The same as `OFFICE_NOUNS` in English, lower case."""

TITLES = frozenset(_TITLES.split())
"""Words that follow a person's name."""

COUNTERS = frozenset(_COUNTERS.split())
"""Words that follow a number."""

EMPTY_NOUNS = frozenset(_EMPTY_NOUNS.split())
"""Nouns that only carry grammar."""

BEGINS_NOTHING = frozenset(("お", "ご", "御", "第", "約", "各"))
"""Prefixes that are no part of a phrase."""
CONTINUES_NOTHING = TITLES | {"等", "など", "たち", "達", "毎", "中"}
"""Endings that are no part of a phrase."""
