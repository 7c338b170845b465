"""What one reading of a sentence tells is proved in the other language and form, and what it does not is not."""

from __future__ import annotations

import pytest

from tests.unit.test_claims_proved import case_of, checked

PAIRS = [
    (
        "SA2 would like to inform CT1 that the hub shall not be contacted for calls.",
        "The hub shall not be contacted for calls.",
    ),
    ("作業者は作業を中止する。", "作業者は作業を取りやめる。"),
    ("事前に利用者の承諾を得なければならない。", "あらかじめ利用者の承諾を得なければならない。"),
    (
        "リレーが応答せず、負荷が高い場合、ハブは一覧を破棄する。",
        "If the relay does not respond and the load is high, the hub discards the list.",
    ),
    (
        "If the relay implements the option and the hub does not, the calls stay in the queue.",
        "リレーがオプションを実装し、ハブが実装しない場合、呼は待ち行列に留まる。",
    ),
    (
        "The supplier shall deliver the first batch by 1 July 2025.",
        "サプライヤーは最初のバッチを2025年7月1日までに納入しなければならない。",
    ),
    (
        "The next meeting takes place in Rotterdam from 19 to 23 August 2024.",
        "次回の会合は2024年8月19日から23日までロッテルダムで開催される。",
    ),
    (
        "A follow-up audit is planned for the second quarter of 2026.",
        "2026年第2四半期にフォローアップ監査が予定されている。",
    ),
    ("The capability is reported per band and not per cell.", "この能力は、セルごとではなくバンドごとに報告される。"),
    ("The battery temperature exceeds 45 degrees Celsius.", "バッテリの温度は45 °Cを超える。"),
    ("The hub should therefore inform the relay.", "ハブはリレーに通知すべきである。"),
    ("夜間は送信を停止する。", "夜間には送信を停止する。"),
    ("同意の記録は3年間保存する。", "同意の記録の保存期間は3年間である。"),
    ("第2条の届出書を取得し、部長の承認を得なければならない。", "第2条の届出書を取得しなければならない。"),
    ("The proposed scheme gives a gain of 12 percent.", "The proposed scheme yields a gain of 12 percent."),
    ("It was agreed in RAN2#121 that the timer is stopped.", "In RAN2#121 it was agreed that the timer is stopped."),
    ("The backoff is insufficient for massive use.", "The backoff is not sufficient for massive use."),
    ("The capacity is 1.8 percentage points lower.", "容量は1.8パーセントポイント低い。"),
    ("The relay is placed on board.", "リレーは搭載されている。"),
    ("The quality counted for 60% and price for 40% of the score.", "評点は品質が60%、価格が40%であった。"),
    ("Without compensation, the error stays above 20%.", "補償がない場合、誤差は20%を上回ったままである。"),
    ("モデルの精度は91%であったが、夜間は64%まで低下した。", "モデルの精度は91%だったが、夜間は64%に低下した。"),
    ("Consequences if not approved: Calls are dropped.", "本CRが承認されない場合、呼は廃棄される。"),
    ("The clerk replied that the parcel had not arrived.", "係員は小包が届いていないと回答した。"),
    ("ブザーが鳴るなら、扉は閉まっている。", "If the buzzer sounds, the door is closed."),
    ("Raising the limit to 30 kg doubles the fee.", "上限を30 kgに上げると、料金は倍増する。"),
    ("The parcels are not sent until 9 people have signed.", "9人が署名するまで小包は送られない。"),
    ("The clerk shall keep unsent parcels for 14 days.", "係員は未送信の小包を14日間保管しなければならない。"),
    ("Reports must arrive by 17:30.", "報告は17時30分までに到着しなければならない。"),
    ("The office opens at 9 a.m.", "事務所は午前9時に開く。"),
    ("The rule was introduced in the 1970s.", "この規則は1970年代に導入された。"),
    ("The clerk is not permitted to open the parcel.", "係員は小包を開けることを許可されていない。"),
    ("The clerk shall not open the parcel.", "The clerk is not allowed to open the parcel."),
    ("Two clerks in the office opened nine parcels.", "Nine parcels were opened by two clerks in the office."),
    ("The scale should not accept more than 25 parcels.", "秤は25個を超える小包を受け入れるべきではない。"),
    ("The fee did not exceed 40 euros.", "料金は40ユーロを超えなかった。"),
    ("The relay sleeps for 5 ms in every 80 ms cycle.", "リレーは80ミリ秒の周期ごとに5ミリ秒間スリープする。"),
    ("Japanese customers pay the fee once.", "日本の顧客は料金を1回支払う。"),
    ("The open issues are discussed in Osaka.", "未解決の課題は大阪で議論される。"),
    ("The station list contains the relay.", "局の一覧には、リレーが含まれる。"),
]
"""Verbs of two parts, conditions of one subject, dates, quarters, bounds, shared obligations, times and fields."""
OTHERS = [
    (
        "AIモデルはOAMで訓練され、7日ごとに配信される。",
        "The OAM model is trained in the AI and delivered every 7 days.",
    ),
    (
        "プローブは1秒あたり64サンプルを収集する。",
        "The probe collects 64 samples per second at the scope of this study.",
    ),
    (
        "UEが新しいセルに入る場合、UEは加入データを暗号化しなければならない。",
        "UEは加入データを暗号化しなければならない。",
    ),
    (
        "SA2 would like to propose that the hub is not contacted for calls.",
        "The hub is not contacted for calls.",
    ),
    ("The relay would stop the calls.", "The relay stops the calls."),
    ("The shop opens at 9:30 and closes at 17:00.", "店は17時に開き、9時30分に閉まる。"),
    ("ハブは音声を文字に変換する。", "The hub converts text into speech."),
    ("ハブは、試験モードを除き、事象を記録しなければならない。", "The hub shall log the event."),
    ("The relay listens for 2 ms in every 320 ms period.", "リレーは2ミリ秒ごとに320ミリ秒間待ち受ける。"),
    ("利用できるセルを選択しなければならない。", "Unavailable cells shall be selected."),
    ("範囲は変更される予定である。", "The scope has been changed."),
    ("リレーは、キューが満杯になった後にパケットを破棄する。", "The relay drops the packet before the queue is full."),
    ("The EES asks the EAS for the list of users.", "EASはユーザーの一覧をEESに求める。"),
    ("セルは22%を節約する。", "The cell saves 22 % and shares the invoice with the museum."),
    ("The printer turns letters into pictures.", "プリンタは画像を文字に変換する。"),
    ("The call failed 90 times during the 14 trips.", "The call failed 14 times during the 90 trips."),
    ("係員は手紙を小包より後に送る。", "係員は手紙を小包より先に送る。"),
    ("The fee stayed below 6 euros in all towns except two ports.", "The fee stayed below 6 euros in all towns."),
    ("Sections 9 and 11 survive the end of the contract.", "Every section of the contract survives."),
    ("The clerk may not open the parcel.", "係員は小包を開けてもよい。"),
    ("The clerk shall keep sent parcels for 14 days.", "係員は未送信の小包を14日間保管しなければならない。"),
    ("Reports must arrive by 18:30.", "報告は17時30分までに到着しなければならない。"),
    ("The office opens at 9 p.m.", "事務所は午前9時に開く。"),
    ("A clerk registered for night work shall answer.", "A clerk shall answer."),
    ("Quality counted for 60% and price for 40% of the score.", "評点は価格が60%、品質が40%であった。"),
    ("The capability is reported per band and not per cell.", "この能力は、バンドごとではなくセルごとに報告される。"),
    (
        "The capability is reported per band and not per band combination.",
        "The capability is reported per band combination and not per band.",
    ),
    (
        "If the relay implements the option and the hub does not, the calls stay in the queue.",
        "ハブがオプションを実装し、リレーが実装しない場合、呼は待ち行列に留まる。",
    ),
    (
        "The supplier shall deliver the first batch by 1 July 2025.",
        "サプライヤーは最初のバッチを2025年7月1日以降に納入しなければならない。",
    ),
    (
        "A follow-up audit is planned for the second quarter of 2026.",
        "2026年第3四半期にフォローアップ監査が予定されている。",
    ),
    ("The document was approved without objection.", "文書は承認されなかった。"),
    (
        "If the ALARM lamp blinks red, contact the service centre.",
        "ALARMランプが緑に点滅した場合、サービスセンターに連絡する。",
    ),
    (
        'The hub may refuse the change with the cause "Not supported".',
        'The hub may refuse the change with the cause "Not allowed".',
    ),
    (
        "The node keeps its address unless a collision is found.",
        "The node changes its address unless a collision is found.",
    ),
    ("The source and the target belong to different groups.", "The source and the target belong to the same group."),
    ("第2条の届出書を取得し、部長の承認を得てもよい。", "第2条の届出書を取得しなければならない。"),
    ("UEは一覧を送信し、AMFは応答を破棄しなければならない。", "UEは一覧を送信しなければならない。"),
    ("同意の記録は3年間保存する。", "同意の記録の保存期間は5年間である。"),
    ("夜間は送信を停止する。", "夜間には送信を再開する。"),
    ("The proposed scheme gives a gain of 12 percent.", "The scheme gave a gain of 21 percent."),
    ("The relay proposes a scheme with a gain of 12 percent.", "The relay gives a gain of 12 percent."),
    ("SA2は方式を提案する。", "SA2は方式を採用した。"),
    ("作業者は作業を中止する。", "作業者は作業を取りやめない。"),
    ("契約を取り消すことができる。", "契約を取り消さなければならない。"),
    ("The PSDB is the upper limit of the delay.", "PSDBは遅延の下限である。"),
    ("The backoff is insufficient for massive use.", "The backoff is sufficient for massive use."),
    (
        "ネットワークは、リレーを選択し、ハブが停止した場合、再開する。",
        "ネットワークは、リレーを選択した場合、再開する。",
    ),
    ("リレーが停止し、ハブが応答した場合、呼は終了する。", "リレーが停止する。"),
    ("12% of the calls of Alpha fell back to Beta.", "Betaの呼の12%がAlphaにフォールバックした。"),
    ("The relay agreed the list at RAN2#12.", "RAN2#12 was agreed at the relay."),
    ("9 of the 14 stations had no certificate.", "14の局のうち5局に証明書がなかった。"),
    ("9 of the 14 stations had no certificate.", "14 of the 9 stations had no certificate."),
    ("Meeting in Maastricht is planned.", "会合はマンチェスターで予定されている。"),
    ("Meeting in Rotterdam is planned.", "会合はアムステルダムで予定されている。"),
    ("The lower layers indicate the state to the hub.", "The hub indicates the state to the lower layers."),
    ("The lower layers indicate the state to the hub.", "ハブは下位レイヤに状態を通知する。"),
    ("The list that contains the cells is sent to the hub.", "ハブはセルを含む一覧に送信される。"),
    ("Consequences if not approved: Calls are dropped.", "本CRが承認された場合、呼は廃棄される。"),
    ("The factor broadcast in SIB1 ranges from 0 to 0.95.", "SIB2で報知される係数の範囲は0から0.95である。"),
    ("The relay reports to the hub by 15 March.", "リレーはハブに3月15日以降に報告する。"),
    ("The relay shall drop lists that fail the check and log the event.", "リレーはイベントをログに記録してもよい。"),
    (
        "The relay may drop lists that fail the check and log the event.",
        "リレーはイベントをログに記録しなければならない。",
    ),
    ("運賃は64%まで低下した。", "運賃は64%以下に低下した。"),
    ("業務を再委託するには、承諾が必要である。", "業務を再委託する場合は、承諾は不要である。"),
    ("会員は甲の同意なく、複製してはならない。", "会員は甲の同意があれば、複製してはならない。"),
    ("データベースが必要である。", "データベースは要らない。"),
    (
        "SA2 would like to inform CT1 that the hub shall not be contacted.",
        "SA2 would like to inform CT1 that the hub shall be contacted.",
    ),
    ("The list is erased when the relay is switched off.", "リレーの電源が入れられると一覧は消去される。"),
]


@pytest.mark.parametrize(("sentence", "claim"), PAIRS)
def test_what_a_sentence_tells_is_proved(sentence: str, claim: str) -> None:
    assert checked(case_of(claim, sentence)).supported


@pytest.mark.parametrize(("sentence", "claim"), OTHERS)
def test_what_it_does_not_tell_is_not(sentence: str, claim: str) -> None:
    assert not checked(case_of(claim, sentence)).supported


def test_a_name_without_a_verb_is_no_quote_of_a_sentence() -> None:
    sentence = "The provider keeps it available, measured at the service access point."
    assert not checked(case_of(sentence, sentence, "service access point")).supported


def test_a_sentence_behind_the_name_of_its_field_may_be_short() -> None:
    sentence = "Reason for change: UEs drain their batteries."
    assert checked(case_of("UEs drain their batteries.", sentence, "UEs drain their batteries.")).supported
