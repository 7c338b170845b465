"""Topics of the made-up posts. Braces are filled in by `build`, so that one sentence makes several posts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Topic:
    """One subject: sentences to begin with, sentences that may follow, words for the braces, hashtags."""

    openings: tuple[str, ...]
    endings: tuple[str, ...]
    words: dict[str, tuple[str, ...]]
    hashtags: tuple[str, ...]


TOPICS = (
    Topic(
        openings=(
            "インボイス制度が始まってから、経費精算にかかる時間が{times}になった。",
            "インボイス制度の登録番号を{who}が1件ずつ確認している。手作業はもう限界。",
            "取引先から届いた請求書、インボイス制度の要件を満たしていないものが{count}件もあった。",
            "インボイス制度に対応した経費精算システムを{tool}に切り替えたら、確認作業がかなり減って便利。",
            "インボイス制度の経過措置、2026年10月から控除が50%になったのを知らない人が多くて困る。",
            "免税事業者との取引をどうするか、インボイス制度の対応方法を{who}で話し合った。",
            "インボイス制度の問題は制度よりも現場の手間だと思う。紙の領収書が{count}枚ある。",
        ),
        endings=(
            "同じ悩みの人いますか？",
            "来月までに何とかしたい。",
            "税理士さんに相談する方法が一番早かった。",
            "電子帳簿保存法とまとめて見直すのがコツ。",
            "経理の負担が大きすぎる。",
            "対策はチェックリストを作ること。",
        ),
        words={
            "times": ("2倍", "1.5倍", "3倍", "半分"),
            "who": ("経理部", "総務", "社長", "支店の担当者"),
            "count": ("12", "38", "105", "240"),
            "tool": ("クラウド型", "別の会社のもの", "自社開発", "OCR付きのもの"),
        },
        hashtags=("インボイス制度", "経理", "経費精算"),
    ),
    Topic(
        openings=(
            "在宅勤務が週{days}日になって、通勤の時間が減ったのは本当に便利。",
            "在宅勤務だと{thing}が足りなくて困る。会社の補助がほしい。",
            "在宅勤務の生産性、うちの部では{change}という結果でした。",
            "出社回帰の流れで在宅勤務が週{days}日に減らされた。不便になった。",
            "在宅勤務の腰痛対策は{thing}を替えるのが一番良い方法だった。",
            "在宅勤務の評価の方法が決まらない。成果で見ると言われても困る。",
        ),
        endings=(
            "雑談が減るのが問題。",
            "午前中に集中する作業を入れるのがコツ。",
            "うちの会社は光熱費の補助が月{yen}円。",
            "おすすめの過ごし方があれば教えてください。",
            "家族の理解も大事。",
        ),
        words={
            "days": ("1", "2", "3", "4"),
            "thing": ("椅子", "モニター", "机", "回線の速さ"),
            "change": ("上がった", "変わらない", "少し下がった", "人による"),
            "yen": ("3000", "5000", "8000"),
        },
        hashtags=("在宅勤務", "テレワーク", "働き方"),
    ),
    Topic(
        openings=(
            "生成AIで議事録を作ったら、{minutes}分の会議が{short}分でまとまった。便利。",
            "生成AIの回答をそのまま社外に出して問題になった話を聞いた。確認は必須。",
            "社内文書の検索に生成AIを使い始めた。{kind}を探す時間が減った。",
            "生成AIの研修、{who}向けの内容が薄くて困る。",
            "生成AIを業務で使うコツは、根拠の文書を必ず示させること。",
            "生成AIの利用ルールを作る方法、{who}と{minutes}分話しても決まらない。",
            "生成AIに{kind}を要約させたら数字を間違えていた。やはり人の確認がいる。",
        ),
        endings=(
            "現場の感想としては期待以上。",
            "機密情報の扱いが一番の問題。",
            "おすすめの使い方を共有します。",
            "来期は全社に広げる予定。",
            "料金が思ったより高い。",
        ),
        words={
            "minutes": ("30", "60", "90"),
            "short": ("3", "5", "10"),
            "kind": ("見積書", "契約書", "仕様書", "報告書"),
            "who": ("管理職", "営業", "開発", "新入社員"),
        },
        hashtags=("生成AI", "業務効率化", "DX"),
    ),
    Topic(
        openings=(
            "{line}が{minutes}分遅延。朝の会議に間に合わない。",
            "{line}の遅延、原因は{cause}とのこと。ホームが人であふれている。",
            "電車の遅延証明書をスマホで取る方法、知らない同僚が多い。便利なのに。",
            "{line}は今日も遅延。振替輸送の案内がわかりにくくて困る。",
            "電車の遅延が多い日は在宅勤務に切り替えるのが一番の対策。",
        ),
        endings=(
            "駅員さんの対応は良い。",
            "時差出勤のおすすめの時間帯は9時半以降。",
            "同じ電車の人、無事に着けますように。",
            "運転再開は{minutes}分後の見込み。",
        ),
        words={
            "line": ("みどり線", "中央循環線", "海浜線", "北部急行"),
            "minutes": ("5", "15", "25", "40"),
            "cause": ("信号の故障", "強風", "車両の点検", "踏切の安全確認"),
        },
        hashtags=("電車遅延", "通勤"),
    ),
    Topic(
        openings=(
            "電子契約に切り替えて、契約書の郵送費が月{yen}円減った。",
            "電子契約を断られる取引先がまだ{count}社ある。紙と両方は不便。",
            "電子契約の承認の流れ、{who}で止まるのが問題。",
            "電子契約サービスを比べた感想。{point}で選ぶのが良い。",
            "電子契約にしてから契約書が見つからない問題がなくなった。検索が便利。",
        ),
        endings=(
            "印紙がいらないのが一番良い。",
            "移行のコツは小さな契約から始めること。",
            "法務と先に話しておくのが対策になる。",
            "おすすめのサービスを教えてください。",
        ),
        words={
            "yen": ("4万", "12万", "30万"),
            "count": ("3", "8", "21"),
            "who": ("部長", "法務", "取引先"),
            "point": ("料金", "検索のしやすさ", "サポート", "権限の細かさ"),
        },
        hashtags=("電子契約", "ペーパーレス", "法務"),
    ),
    Topic(
        openings=(
            "防災訓練、今年は{place}で停電の想定だった。非常用の照明が便利。",
            "会社の備蓄の水が{count}本、期限切れだった。確認の方法を決めないと。",
            "防災の安否確認システム、返信が{percent}%しか来なくて問題に。",
            "防災用品を見直した。{thing}は必ず入れておくのがおすすめ。",
        ),
        endings=(
            "事業継続計画も一緒に直す予定。",
            "家でも同じ対策をしておきたい。",
            "訓練のコツは抜き打ちにしないこと。",
        ),
        words={
            "place": ("本社", "工場", "物流センター"),
            "count": ("48", "120", "360"),
            "percent": ("62", "74", "88"),
            "thing": ("携帯トイレ", "モバイル電源", "ラジオ", "軍手"),
        },
        hashtags=("防災", "BCP"),
    ),
)

ENGLISH = (
    "Our team moved expense reports to a new tool after the invoice system in Japan changed. Much less paper.",
    "Generative AI wrote the minutes of a 60 minute meeting in five. Check the numbers, though: two were wrong.",
    "Working from home three days a week: great for focus, bad for my back. Any chair tips?",
    "E-signature rollout done. The problem was never the tool, it was the approval chain.",
    "Train delayed 25 minutes again. The delay certificate on the phone is useful at least.",
    "Disaster drill at the plant today: only 74% answered the safety check. Better than last year.",
)
