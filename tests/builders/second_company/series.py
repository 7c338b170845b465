"""Documents that a company writes by the dozen, on the same form: incidents, proposals, quotations, minutes, weekly reports,
contracts, monthly figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from tests.builders.second_company.papers import Paper

SITES = ("新潟", "越谷", "岡崎", "高松", "鳥栖", "郡山")
CUSTOMERS = (
    "みすず製菓",
    "大和路乳業",
    "白浪水産",
    "ツバキ薬品",
    "丸和ベーカリー",
    "北関東生協",
    "アルプス飲料",
    "すずらん化粧品",
    "三河部品工業",
    "オリーブマート",
    "有明青果",
    "會津酒造",
)


@dataclass(frozen=True)
class Mishap:
    """A mishap with its cause and its cure, and how somebody would say it who has forgotten the words."""

    title: str
    story: str
    cause: str
    cure: str
    asked: str


MISHAPS = (
    Mishap(
        "冷凍機停止による庫温上昇",
        "F級庫の圧縮機が過電流で停止し、庫温が-11℃まで上昇した。",
        "凝縮器の目詰まりにより高圧が上がった。",
        "凝縮器を月1回洗浄し、高圧の警報値を下げる。",
        "冷やす設備が壊れて中が温まった",
    ),
    Mishap(
        "フォークリフト接触によるラック損傷",
        "旋回中のリーチ式フォークリフトが3段目の支柱に当たり、ラックが変形した。",
        "通路に仮置きのパレットがあり、回転の余地がなかった。",
        "仮置きを禁じ、支柱に緩衝材を付ける。",
        "荷役車が棚の柱を曲げた",
    ),
    Mishap(
        "類似品番の誤出荷",
        "外装の似た1.5 L品の代わりに2 L品を48ケース出荷した。",
        "隣り合う棚番に置き、目視だけで確認した。",
        "類似品の棚を離し、ハンディの照合を必須とする。",
        "よく似た別の商品を送ってしまった",
    ),
    Mishap(
        "納品先取り違え",
        "二つの店舗のかご車を逆に降ろし、開店に間に合わなかった。",
        "荷札の色が同じで、降ろす順の指示がなかった。",
        "店舗ごとに荷札の色を分ける。",
        "隣の店の分を置いてきてしまった",
    ),
    Mishap(
        "荷崩れによる破損",
        "高速道路の出口の急カーブで段積みが倒れ、瓶が36本割れた。",
        "ラッシングベルトが2本不足していた。",
        "出発前の固縛の写真を配車係へ送る。",
        "積んだものが倒れて中身が割れた",
    ),
    Mishap(
        "車両故障による延着",
        "国道の坂でウォーターポンプが壊れて自走できず、納品が4時間遅れた。",
        "交換時期を超えた部品を使い続けた。",
        "走行40万kmで予防交換する。",
        "途中でトラックが動けなくなって到着が遅れた",
    ),
    Mishap(
        "積雪路での追突",
        "下り坂で止まれず、前の乗用車に追突した。相手は軽傷。",
        "チェーンを着けずに峠へ入った。",
        "降雪の予報で代わりの経路を指示する。",
        "雪で滑って前の車にぶつかった",
    ),
    Mishap(
        "無線端末の通信断",
        "庫内の無線LANが切れ、ハンディ端末32台が50分使えなかった。",
        "増やした什器が電波を遮った。",
        "アクセスポイントを2台追加する。",
        "読み取り機がつながらなくて作業が止まった",
    ),
    Mishap(
        "棚卸差異の発生",
        "月末の棚卸で帳簿より118ケース少なかった。",
        "返品の入庫を二重に計上した。",
        "返品は専用の画面で登録する。",
        "数えたら帳面より少なかった",
    ),
    Mishap(
        "雨漏りによる濡損",
        "台風の夜に屋根の継ぎ目から浸水し、段ボール64箱が濡れた。",
        "目地のシールが切れていた。",
        "屋根を年2回点検し、窓際に荷を置かない。",
        "屋根から水が入って箱がふやけた",
    ),
    Mishap(
        "期限切れ品の出荷",
        "消費期限を2日過ぎた惣菜を12パック店舗に納めた。",
        "新しいロットを手前に積んだ。",
        "期限の近い順に棚を自動で指示する。",
        "日付の過ぎた食べ物を出してしまった",
    ),
    Mishap(
        "荷役中の指挟み",
        "テールゲートリフターとかご車の間に右手の中指を挟み、骨折した。",
        "手袋をせず、声を掛けずに昇降させた。",
        "合図を復唱してから動かす。",
        "作業をしていた人が手をけがした",
    ),
    Mishap(
        "熱中症による救急搬送",
        "コンテナの荷降ろし中に倒れ、救急車で運ばれて点滴を受けた。",
        "庫内が38℃で、休憩を2時間取らなかった。",
        "30分ごとに休ませ、空調服を貸す。",
        "暑さで人が倒れて病院に運ばれた",
    ),
    Mishap(
        "EDI受信の遅延",
        "荷主からの出荷指示の電文が届かず、当日便の締めに遅れた。",
        "証明書の期限が切れていた。",
        "期限の60日前に知らせる仕組みを入れる。",
        "注文のデータが来なくて間に合わなかった",
    ),
    Mishap(
        "ドライアイス不足による温度逸脱",
        "検体の箱が着いたときに-12℃となり、受け取りを断られた。",
        "夏の量の表を使わず、3 kgだけ詰めた。",
        "季節ごとの量を箱の蓋に貼る。",
        "保冷剤が足りなくて受け取ってもらえなかった",
    ),
    Mishap(
        "夜間の施錠忘れ",
        "シャッター2面が朝まで開いていた。盗まれた物はなかった。",
        "当番表の引き継ぎが漏れた。",
        "警備会社の遠隔監視に切り替える。",
        "夜に戸締まりをしないで帰った",
    ),
)


def incidents() -> Iterator[Paper]:
    """One report for each mishap at each site, numbered; each at its own day and for a customer."""
    for m, mishap in enumerate(MISHAPS):
        for s, site in enumerate(SITES):
            place = m * len(SITES) + s
            number = f"INC-{30217 + 37 * place}"
            day = date(2025, 4, 7) + timedelta(days=(place * 53) % 560)
            customer = CUSTOMERS[(m + 5 * s) % len(CUSTOMERS)]
            text = (
                f"# 事故報告書\n報告番号: {number}\n件名: {mishap.title}\n発生場所: {site}センター\n発生日: {day:%Y年%m月%d日}\n荷主: {customer}\n"
                f"## 発生状況\n{mishap.story}\n## 影響\n{customer}の出荷に{20 + place % 90}分の遅れが出た。\n## 原因\n{mishap.cause}\n"
                f"## 再発防止策\n{mishap.cure}\n## 確認\n安全品質室長の確認を受け、関係者に周知した。"
            )
            yield Paper(
                f"安全品質室/事故報告書/{day:%Y}/事故報告書_{number}_{site}.docx",
                text,
                day,
                f"{site}で{mishap.asked}ときの報告",
            )


_THEMES = (
    ("共同配送", "同じ方面の荷主3社の便をまとめ、積載率を58%から81%に上げる。"),
    ("冷凍保管", "-25℃の自動倉庫で繁忙期の保管枠を800パレット確保する。"),
    ("流通加工", "値札貼りと詰め合わせを庫内で行い、店舗の手間を減らす。"),
    ("返品物流", "店舗からの返品を集約し、検品から再生まで一括で請け負う。"),
)


def proposals() -> Iterator[Paper]:
    """A proposal of each theme to each customer."""
    for c, customer in enumerate(CUSTOMERS):
        for t, (theme, offer) in enumerate(_THEMES):
            day = date(2026, 1, 13) + timedelta(days=((c * 4 + t) * 29) % 300)
            text = (
                f"# {customer}様 {theme}のご提案\n株式会社波多野物流 営業推進部\n{day:%Y年%m月%d日}\n## 現状の課題\n{customer}様では出荷量が年{3 + (c + t) % 9}%増え、"
                f"人手が不足しています。\n## ご提案\n{offer}\n## 効果\n物流費を{4 + (3 * c + t) % 14}%減らします。\n## 今後の進め方\n現地調査のうえ、正式なお見積りをお出しします。"
            )
            yield Paper(f"営業推進部/提案/{customer}/提案書_{theme}_{customer}_{day:%Y%m}.pptx", text, day)


def quotations() -> Iterator[Paper]:
    """Three numbered quotations per customer."""
    for c, customer in enumerate(CUSTOMERS):
        for n in range(3):
            number = f"M-26-{1043 + 61 * (3 * c + n)}"
            day = date(2026, 2, 2) + timedelta(days=((3 * c + n) * 41) % 280)
            price = 180_000 + 7_300 * ((c * 5 + n * 11) % 40)
            text = (
                f"# 御見積書\n見積番号: {number}\n{customer} 御中\n{day:%Y年%m月%d日}\n| 品目 | 数量 | 単価 |\n| 保管料 | {40 + c * 7} | 1,150 |\n"
                f"| 荷役料 | {12 + n} | 8,400 |\n| 配送料 | {3 + c % 5} | {price:,} |\n有効期限は発行から30日とします。お支払いは月末締め翌月末です。"
            )
            yield Paper(f"営業推進部/見積/{customer}/見積書_{number}_{customer}.xlsx", text, day)


_COMMITTEES = {
    "運営会議": "社長室/議事録",
    "安全衛生委員会": "安全品質室/議事録",
    "配車改善会議": "運行管理部/議事録",
    "倉庫改善定例": "倉庫部/議事録",
    "情報化推進会議": "情報企画部/議事録",
}
_AGENDA = (
    ("乗務員の待機時間", "荷待ちが平均72分となったため、受付の予約制を荷主4社に申し入れる。"),
    ("女性用の休憩室", "鳥栖と高松に女性用の仮眠室を設ける。"),
    ("電気料金の上昇", "夜間に蓄冷し、昼の契約電力を15%下げる。"),
    ("ドライブレコーダー", "後方と車内にもカメラを付け、映像を30日残す。"),
    ("紙の日報の廃止", "乗務員の端末から送る方式に7月から替える。"),
    ("軍手の支給", "切創に強い手袋を月2双まで支給する。"),
    ("年末の増便", "12月の土曜に臨時便を6本出す。"),
    ("パート時給", "最低賃金の改定に合わせ、10月から一律45円上げる。"),
    ("庫内照明", "水銀灯を人感式のLEDに替え、電力を6割減らす。"),
    ("渋滞の回避", "環状線の工事の間は4時台に出発する。"),
    ("名簿の更新", "緊急連絡網を四半期ごとに見直す。"),
    ("AIの利用", "問い合わせの下書きに生成AIを使う試行を始める。"),
)


def minutes() -> Iterator[Paper]:
    """The minutes of each committee for each month of a year, two subjects each."""
    for k, (committee, folder) in enumerate(_COMMITTEES.items()):
        for month in range(1, 13):
            day = date(2026 if month < 11 else 2025, month, 8 + k)
            chosen = [_AGENDA[(month * 5 + k * 3) % 12], _AGENDA[(month * 7 + k * 2 + 1) % 12]]
            topics = "\n".join(f"## 議題: {title}\n決定: {what}" for title, what in dict(chosen).items())
            text = (
                f"# {committee}議事録\n日時: {day:%Y年%m月%d日} 10:00から11:30\n場所: 本社第1会議室\n出席者: 部門長、各センター長\n{topics}\n"
                f"## 次回\n翌月の同じ週に開く。"
            )
            yield Paper(f"{folder}/{day:%Y}/{committee}議事録_{day:%Y-%m}.docx", text, day)


def weeklies() -> Iterator[Paper]:
    """Ten weeks of reports of each site, in September to November 2026."""
    for s, site in enumerate(SITES):
        for n in range(10):
            day = date(2026, 9, 4) + timedelta(weeks=n)
            week = day.isocalendar().week
            text = (
                f"# {site}センター週報 2026年第{week}週\n期間: {day - timedelta(days=4):%m/%d}から{day:%m/%d}\n入庫 {3100 + 170 * s + 45 * n}件、"
                f"出庫 {2950 + 160 * s + 52 * n}件、残業 {18 + (s * 3 + n) % 17}時間。\n特記: {_AGENDA[(s * 2 + n) % 12][0]}について話し合った。"
                f"\n来週: {CUSTOMERS[(s + n) % 12]}の入庫が増える見込み。"
            )
            yield Paper(f"倉庫部/週報/{site}/{site}センター週報_2026年第{week}週.txt", text, day)


_CONTRACTS = ("運送委託契約書", "寄託契約書", "秘密保持契約書")


def contracts() -> Iterator[Paper]:
    """One contract per customer, numbered; the kinds take turns."""
    for c, customer in enumerate(CUSTOMERS):
        kind, number = _CONTRACTS[c % 3], f"C-25-{208 + 19 * c}"
        day = date(2025, 4 + c % 8, 3 + c)
        text = (
            f"# {kind}\n契約番号: {number}\n{customer}（以下「甲」という。）と株式会社波多野物流（以下「乙」という。）は、次のとおり契約する。\n"
            f"## 第1条（目的）\n甲は乙に、{customer}の商品の取扱いを委託する。\n## 第2条（対価）\n甲は乙に、月末締め翌月末払いで対価を支払う。\n"
            f"## 第3条（損害賠償）\n乙の責めによる滅失は、時価により賠償する。\n## 第4条（期間）\nこの契約は{day:%Y年%m月%d日}から1年間とし、申し出がなければ更新する。"
        )
        yield Paper(f"総務法務課/契約書/2025/{kind}_{number}_{customer}.docx", text, day)


def figures() -> Iterator[Paper]:
    """The monthly figures of a year."""
    for month in range(1, 13):
        day = date(2026 if month < 11 else 2025, month, 27)
        text = (
            f"# 月次業績報告 {day:%Y年%m月}\n| 項目 | 実績 | 予算 |\n| 売上高 | {412 + 9 * month}百万円 | {405 + 10 * month}百万円 |\n"
            f"| 営業利益 | {21 + month % 7}百万円 | 24百万円 |\n| 燃料費 | {58 + month % 5}百万円 | 57百万円 |\n傭車費が予算を超えた。"
        )
        yield Paper(f"財務部/月次/月次業績報告_{day:%Y-%m}.xlsx", text, day)


def every_series() -> tuple[Paper, ...]:
    """All of them."""
    return (
        *incidents(),
        *proposals(),
        *quotations(),
        *minutes(),
        *weeklies(),
        *contracts(),
        *figures(),
    )
