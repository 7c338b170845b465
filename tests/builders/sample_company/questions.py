"""Questions of people to the sample folder: with their file, vague ones, and ones without an answer."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from tests.builders.sample_company.texts.general_affairs import EVACUATION_DRILL
from tests.builders.sample_company.texts.information_systems import VPN_MANUAL
from tests.builders.sample_company.texts.legal import NON_DISCLOSURE


class Kind(StrEnum):
    """How the question points at its file."""

    TITLE = "title"
    BODY = "body"
    PERIOD = "period"
    NUMBER = "number"
    PERSON = "person"
    ENGLISH = "english"


@dataclass(frozen=True)
class Question:
    """``text`` as somebody types it; any of ``paths`` (below the sample folder) found first is right."""

    kind: Kind
    text: str
    paths: tuple[str, ...]


@dataclass(frozen=True)
class VagueQuestion:
    """A question many files answer; ``folder`` holds at least ten of them, so a narrowing question is in place."""

    text: str
    folder: str


def _ask(kind: Kind, text: str, *paths: str) -> Question:
    return Question(kind, text, paths)


_NON_DISCLOSURE = (NON_DISCLOSURE, "営業部/顧客/北斗製鋼/秘密保持契約書_K-2024-017_北斗製鋼.docx")
_VPN = (VPN_MANUAL, "人事部/研修/VPN接続マニュアル - コピー.pdf")
_MINUTES = "開発部/定例議事録/2026/HV-90開発定例_第"
_WEEKLY = "営業部/週報/2026/営業週報_2026年第"
_SALES = "営業部/売上報告"

QUESTIONS = (
    # The words of a title, more or less.
    _ask(Kind.TITLE, "VPN接続マニュアル", *_VPN),
    _ask(Kind.TITLE, "経費精算マニュアル 第2版", "経理部/マニュアル/経費精算マニュアル_v2.docx"),
    _ask(Kind.TITLE, "HP-350の取扱説明書", "品質保証部/取扱説明書/HP-350_取扱説明書.pdf"),
    _ask(Kind.TITLE, "HV-90の製品仕様書", "開発部/仕様書/HV-90_製品仕様書_SP-HV90-001.docx"),
    _ask(Kind.TITLE, "文書管理規程", "総務部/規程/文書管理規程_S-12.docx"),
    _ask(Kind.TITLE, "2026年度の部門別予算", "経理部/予算/2026年度部門別予算.xlsx"),
    _ask(Kind.TITLE, "新入社員向けの情報セキュリティ研修の資料", "人事部/研修/新入社員研修_情報セキュリティ.pptx"),
    _ask(Kind.TITLE, "ヘルプデスクのFAQ", "情報システム/FAQ/社内ヘルプデスクFAQ.html"),
    _ask(Kind.TITLE, "テレワーク勤務規程", "人事部/規程/テレワーク勤務規程_S-21.pdf"),
    _ask(
        Kind.TITLE,
        "圧電素子のばらつき評価のメモ",
        "開発部/メモ/" + unicodedata.normalize("NFD", "ばらつき評価メモ(ピエゾ素子).txt"),
    ),
    # A fact from the text, in other words than the title's.
    _ask(
        Kind.BODY,
        "洗浄のあとに圧力の指示値の零点がずれるクレームの原因は",
        "品質保証部/クレーム報告書/2024/品質クレーム報告書_QC-2024-023_日向食品機械.docx",
    ),
    _ask(
        Kind.BODY,
        "コネクタに切削油が入って流量がゼロになった件の報告書",
        "品質保証部/クレーム報告書/2026/品質クレーム報告書_QC-2026-009_玉嶺精密.docx",
    ),
    _ask(
        Kind.BODY,
        "データベースのログ領域が満杯になって受発注が止まった障害",
        "情報システム/障害報告/2026/障害報告書_20260714_基幹システム停止.txt",
    ),
    _ask(Kind.BODY, "出張の日当と宿泊費の上限はいくら", "総務部/規程/出張旅費規程_S-07.pdf"),
    _ask(
        Kind.BODY,
        "空調設備の故障のとき何時間以内に駆け付ける契約か",
        "法務/契約書/2025/保守契約書_K-2025-008_木曽峰ビルサービス.docx",
    ),
    _ask(Kind.BODY, "8.2 kHz付近の筐体の共振が見つかった定例", f"{_MINUTES}07回_20260804.docx"),
    _ask(
        Kind.BODY, "アンテナ接点のはんだ割れが見つかり、ばね式に変更すると決めた議事録", f"{_MINUTES}11回_20260929.docx"
    ),
    _ask(Kind.BODY, "見積書や議事録の保存期間は何年か", "総務部/規程/文書管理規程_S-12.docx"),
    _ask(Kind.BODY, "ゲートウェイのMQTTのトピックとポート番号", "開発部/仕様書/HG-10ゲートウェイ_通信仕様書.md"),
    _ask(
        Kind.BODY,
        "送信間隔15分のときの電池寿命を測定と計算から推定した報告",
        "開発部/報告/技術報告_無線センサの電池寿命推定.pdf",
    ),
    _ask(
        Kind.BODY,
        "レンタカーのガソリン代の精算",
        unicodedata.normalize("NFD", "経理部/メモ/ガソリン代・レンタカー精算のメモ.txt"),
    ),
    _ask(
        Kind.BODY, "熱中症対策で冷水機を置くと決めた委員会", "総務部/議事録/2025/安全衛生委員会議事録_令和7年6月.docx"
    ),
    _ask(
        Kind.BODY,
        "キャビテーションの実測で測定範囲を広げた変更通知",
        "開発部/仕様書/HV-90_仕様変更通知_ECN-2026-014.docx",
    ),
    _ask(Kind.BODY, "展示会の来場者で株式会社白樺乳業の髙﨑さんの関心", "営業部/顧客/国際計測制御展_来場者名簿.csv"),
    # A period and a type.
    _ask(Kind.PERIOD, "令和6年9月の議事録", "経営会議/議事録/経営会議議事録_令和6年9月.docx"),
    _ask(Kind.PERIOD, "2026年10月の売上のPDF", f"{_SALES}/2026/売上報告 2026年10月.pdf"),
    _ask(Kind.PERIOD, "2024年8月の売上報告", f"{_SALES}/2024/売上報告 2024年8月.pdf"),
    _ask(Kind.PERIOD, "令和6年10月の経営会議", "経営会議/議事録/経営会議議事録_令和6年10月.docx"),
    _ask(Kind.PERIOD, "2026年第38週の営業週報", f"{_WEEKLY}38週.txt"),
    _ask(Kind.PERIOD, "令和8年度の防災訓練の実施要領", EVACUATION_DRILL),
    # A document number.
    _ask(Kind.NUMBER, "K-2024-017", *_NON_DISCLOSURE),
    _ask(Kind.NUMBER, "契約書番号 K-2024-031", "法務/契約書/2024/業務委託契約書_K-2024-031_椿音システムズ.pdf"),
    _ask(Kind.NUMBER, "稟議 R-2025-041", "総務部/稟議/2025/稟議書_R-2025-041_加振試験機購入.docx"),
    _ask(Kind.NUMBER, "Q-2024-0815の見積書", "営業部/見積書/2024/見積書_Q-2024-0815_北斗製鋼.pdf"),
    _ask(Kind.NUMBER, "ECN-2026-014", "開発部/仕様書/HV-90_仕様変更通知_ECN-2026-014.docx"),
    _ask(Kind.NUMBER, "基準流量計 ST-03の次回の校正期限", "品質保証部/校正/標準器一覧.xlsx"),
    # A person.
    _ask(Kind.PERSON, "呉志明さんの社員番号と入社日", "人事部/名簿/社員名簿_2026年4月.xlsx"),
    _ask(
        Kind.PERSON, "高橋美咲が起案した展示会出展の稟議書", "総務部/稟議/2026/稟議書_R-2026-027_国際計測制御展出展.pdf"
    ),
    _ask(Kind.PERSON, "主任技術者が柏木徹の契約", "法務/契約書/2024/業務委託契約書_K-2024-031_椿音システムズ.pdf"),
    _ask(Kind.PERSON, "北斗製鋼の沢田良平様への予知保全のご提案", "営業部/提案/北斗製鋼様_予知保全ご提案.pptx"),
    # English.
    _ask(
        Kind.ENGLISH,
        "Munich branch monthly report September 2026",
        "Munich Branch/Reports/2026/Monthly Report September 2026.docx",
    ),
    _ask(
        Kind.ENGLISH, "tightening torque for mounting the HV-80", "Munich Branch/Manuals/HV-80 Installation Guide.pdf"
    ),
    _ask(
        Kind.ENGLISH,
        "non-disclosure agreement with Nordhaven Robotics",
        "Munich Branch/Contracts/Mutual NDA Nordhaven Robotics K-2025-E03.md",
    ),
    _ask(Kind.ENGLISH, "discount for platinum partners", "Munich Branch/Sales/Price List 2026.xlsx"),
    _ask(
        Kind.ENGLISH,
        "which distributor asked for a manual in Polish",
        "Munich Branch/Minutes/Distributor Meeting 2026-06-18.txt",
    ),
)

VAGUE_QUESTIONS = (
    VagueQuestion("HV-90開発定例の議事録", "開発部/定例議事録/2026"),
    VagueQuestion("営業週報", "営業部/週報/2026"),
)

UNANSWERED_QUESTIONS = (
    "社員食堂の今週の献立",
    "大阪支店の賃貸借契約書",
    "2019年の株主総会の招集通知",
    "育児休業給付金の申請書の書き方",
    "ドローン撮影の飛行許可申請",
    "社内野球大会の対戦表",
    "K-2031-999の契約書",
    "recipe for sourdough bread",
)
