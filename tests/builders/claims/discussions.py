"""Claims over discussion papers that people wrote in both languages, and over any real text, changed as strings."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from locator_search.model import Evidence
from locator_search.text.cutting import sentences
from tests.builders.claims import Case
from tests.builders.contributions import passage

_PAIRS = (
    ("It is proposed that the gNB shall not page the UE more than 4 times per hour.",
     "gNBは1時間に4回を超えてUEをページングしないものとする、と提案する。"),
    ("The NEF exposes congestion information to the AF without user consent.",
     "NEFはユーザーの同意なしにAFへ輻輳情報を公開する。"),
    ("Timer T3512 is set to 54 minutes and timer T3346 is set to 30 minutes.",
     "タイマーT3512は54分、タイマーT3346は30分に設定される。"),
    ("The HSS provides the authentication vectors to the MME.",
     "HSSはMMEに認証ベクトルを提供する。"),
    ("A relay UE may accept at most 8 remote UEs.",
     "リレーUEは最大8台のリモートUEを受け入れてもよい。"),
    ("The maximum latency is 10 ms, and the packet loss rate is below 0.1 %.",
     "最大遅延は10ミリ秒であり、パケット損失率は0.1%未満である。"),
    ("The network shall authenticate the UE before it activates the bearer.",
     "ネットワークは、ベアラをアクティブ化する前にUEを認証しなければならない。"),
    ("The LMF never reports the position of the UE to the AF directly.",
     "LMFは決してUEの位置をAFに直接報告しない。"),
    ("Operators reported that 17 satellites lost coverage for 6 hours.",
     "オペレーターは、17基の衛星が6時間にわたりカバレッジを失ったと報告した。"),
    ("The NRF shall reject the discovery request if the token has expired.",
     "トークンが失効している場合、NRFは発見要求を拒否しなければならない。"),
    ("The bandwidth is increased from 20 MHz to 100 MHz in Release 19.",
     "リリース19では帯域幅が20MHzから100MHzに増加する。"),
    ("The UDM should delete the subscription when the user moves to another operator.",
     "ユーザーが別のオペレーターに移動した場合、UDMは加入を削除すべきである。"),
    ("Emergency calls are not supported in clause 7.3 of TS 23.502.",
     "TS 23.502の7.3節では緊急呼はサポートされない。"),
    ("The CHF sends a quota of 500 MB to the SMF.",
     "CHFはSMFに500MBのクォータを送信する。"),
    ("The sensor must be calibrated every 24 hours by the controller.",
     "センサーはコントローラーによって24時間ごとに校正されなければならない。"),
    ("The N3IWF does not encrypt the signalling towards the AMF.",
     "N3IWFはAMFへのシグナリングを暗号化しない。"),
    ("The base station allocates the uplink resources to the drone before takeoff.",
     "基地局は離陸前にドローンに上りリンクリソースを割り当てる。"),
    ("If the certificate is revoked, the SEPP shall not forward the message to the partner network.",
     "証明書が取り消された場合、SEPPはメッセージをパートナーネットワークに転送してはならない。"),
    ("The probe collects 64 samples per second and discards samples older than 90 seconds.",
     "プローブは1秒あたり64サンプルを収集し、90秒より古いサンプルを破棄する。"),
    ("Lawful interception is out of scope of this study.",
     "合法的傍受は本検討の範囲外である。"),
    ("The PSAP can call the vehicle back for up to 2 hours.",
     "PSAPは最長2時間、車両にコールバックできる。"),
    ("The AI model is trained in the OAM and delivered to the NWDAF every 7 days.",
     "AIモデルはOAMで訓練され、7日ごとにNWDAFに配信される。"),
    ("The battery of the tag lasts 12 years without replacement.",
     "タグのバッテリーは交換なしで12年間持続する。"),
    ("The SMF may release the PDU session after 3 failed attempts.",
     "SMFは3回の失敗後にPDUセッションを解放してもよい。"),
    ("Roaming partners must agree on the charging model in advance.",
     "ローミングパートナーは事前に課金モデルに合意しなければならない。"),
    ("The UE does not store the temporary identity received from the AMF.",
     "UEはAMFから受信した一時識別子を保存しない。"),
    ("Annex B of TS 33.501 describes 5 attacks against paging.",
     "TS 33.501の附属書Bはページングに対する5つの攻撃を記述している。"),
    ("The satellite is visible for 11 minutes in each orbit.",
     "衛星は各軌道で11分間可視である。"),
)  # fmt: skip
_PAPERS = 4
_UNITS = {"minutes": "seconds", "ms": "s", "hours": "days", "MHz": "kHz", "MB": "GB", "times": "minutes",
          "分": "秒", "ミリ秒": "秒", "時間": "日", "回": "分", "台": "秒"}  # fmt: skip
_DENIALS = (
    (" shall not ", " shall "), (" does not ", " does "), (" are not ", " are "), (" never ", " always "),
    (" without ", " with "), ("ないものとする", "るものとする"), ("しない。", "する。"), ("されない。", "される。"),
    ("なしに", "を得て"),
)  # fmt: skip
_AFFIRMATIONS = (
    (" shall ", " shall not "), (" may ", " may not "), (" is ", " is not "), (" must ", " must not "),
    (" should ", " should not "), (" provides ", " does not provide "), (" sends ", " does not send "),
    ("する。", "しない。"), ("される。", "されない。"), ("しなければならない。", "してはならない。"),
    ("すべきである。", "すべきではない。"),
)  # fmt: skip
_NODE = re.compile(r"(?<![A-Za-z0-9])[A-Z][A-Za-z0-9]*[A-Z](?![A-Za-z0-9])")
_NUMBER = re.compile(r"(?<![A-Za-z\d.])\d+(?![\d.A-Za-z])")


def told_in(name: str) -> list[tuple[str, str]]:
    """The pairs of a file: an English sentence and, in the next line, its translation."""
    lines = (Path(__file__).parent / f"{name}.txt").read_text("utf-8").splitlines()
    told = [line for line in lines if not line.startswith("#")]
    return list(zip(told[::2], told[1::2], strict=True))


def papers(told: Sequence[tuple[str, str]] = _PAIRS) -> list[tuple[Evidence, list[tuple[str, str]], bool]]:
    """Passages with the pairs of sentences they hold; whether in Japanese."""
    found = []
    for number in range(0, len(told), _PAPERS):
        pairs = list(told[number : number + _PAPERS])
        for japanese in (False, True):
            text = ("" if japanese else " ").join(pair[japanese] for pair in pairs)
            heading = f"{number + 2}.1 {'考察' if japanese else 'Discussion'}\n"
            evidence = passage(f"S2-27{number:03}{japanese:02}", f"{number + 2}.1", heading + text, 2)
            found.append((evidence, pairs, japanese))
    return found


def cases(seed: int, count: int, told: Sequence[tuple[str, str]] = _PAIRS) -> tuple[list[Case], list[Case]]:
    """At most `count` true and `count` false claims."""
    random_ = random.Random(seed)
    true: list[Case] = []
    false: list[Case] = []
    everything = papers(told)
    for evidence, pairs, japanese in everything:
        for pair in pairs:
            quote = pair[japanese]
            for claim in pair:
                true += _true(claim, quote, evidence)
                false += _false(random_, claim, quote, evidence, [one[claim == pair[1]] for one in pairs])
            stranger = random_.choice([one for one, _, _ in everything if one is not evidence])
            false.append(Case("quote of another passage", pair[0], (quote,), (stranger,)))
    random_.shuffle(true)
    random_.shuffle(false)
    return true[:count], false[:count]


def real_cases(evidence: Evidence, seed: int) -> tuple[list[Case], list[Case]]:
    """The same over a real text: what it says word by word, and the same changed."""
    random_ = random.Random(seed)
    told = [one for one in sentences(evidence.text) if 30 < len(one) < 300 and one[-1] in ".。"]
    true = [case for one in told for case in _true(one, one, evidence)]
    false = [case for one in told for case in _false(random_, one, one, evidence, told)]
    return true, false


def _true(claim: str, quote: str, evidence: Evidence) -> Iterator[Case]:
    yield Case("as it is", claim, (quote,), (evidence,))
    yield Case("spaces", f"  {claim} ", ("\n".join(quote.split(" ")),), (evidence,))
    yield Case("marks", claim.replace("-", "‑"), (quote.replace("fi", "ﬁ").replace("'", "’"),), (evidence,))
    words = quote.split(" ")
    if len(words) > 8:
        yield Case("part of a quote", claim, (" ".join(words[1:-2]),), (evidence,))
    elif len(words) == 1:
        yield Case("part of a quote", claim, (quote[:-4],), (evidence,))


def _false(random_: random.Random, claim: str, quote: str, evidence: Evidence, others: list[str]) -> Iterator[Case]:
    def case(kind: str, changed: str, quoted: str = quote) -> Iterator[Case]:
        if changed != claim or quoted != quote:
            yield Case(kind, changed, (quoted,), (evidence,))

    yield from case("number", _NUMBER.sub(lambda found: str(int(found[0]) + 1), claim, count=1))
    unit = next((unit for unit in _UNITS if re.search(rf"\d ?{unit}", claim)), "")
    yield from case(
        "unit", re.sub(rf"(\d ?){unit}", rf"\g<1>{_UNITS.get(unit, '')}", claim, count=1) if unit else claim
    )
    denied = next(((old, new) for old, new in _DENIALS if old in claim), None)
    swap = denied or next(((old, new) for old, new in _AFFIRMATIONS if old in claim), None)
    yield from case("negation", claim.replace(*swap, 1) if swap else claim)
    nodes = list(dict.fromkeys(_NODE.findall(claim)))
    if len(nodes) > 1:
        one, two = nodes[:2]
        yield from case("swapped", claim.replace(one, "\0").replace(two, one).replace("\0", two))
    if nodes:
        yield from case("other name", claim.replace(nodes[0], "XYZF"))
    identifiers = re.findall(r"T\d{4}", claim)
    if len(identifiers) > 1:
        one, two = identifiers[:2]
        yield from case("swapped timers", claim.replace(one, "\0").replace(two, one).replace("\0", two))
    yield from case("empty", claim, "  ")
    yield from case("letter", claim, quote[2])
    yield from case("heading", claim, evidence.text.partition("\n")[0])
    yield from case("file", claim, evidence.source_file)
    other = random_.choice(others)
    if other != claim:
        yield from case("another sentence", other)
        yield from case("two sentences", claim[: len(claim) // 2] + other[len(other) // 2 :])
    if claim.isascii():
        yield from case("more", claim[:-1] + " and shares the invoice with the museum.")
        yield from case("invented", "The printer in the museum shall print invoices on Mondays.")
    else:
        yield from case("more", claim[:-1] + "。また、請求書を美術館と共有する。")
        yield from case("invented", "美術館のプリンターは月曜日に請求書を印刷する。")
