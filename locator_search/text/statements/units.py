"""Units behind numbers, in English and Japanese, and numbers written as words."""

from __future__ import annotations

import re

_UNITS = """
s sec secs second seconds 秒 秒間
ms msec millisecond milliseconds ミリ秒
us µs microsecond microseconds マイクロ秒
ns nanosecond nanoseconds ナノ秒
min mins minute minutes 分 分間
h hr hrs hour hours 時間
d day days 日 日間
week weeks 週間 週
quarter quarters 四半期
month months か月 カ月 ヶ月 ヵ月 月
year years 年 年間
% percent per-cent percentage パーセント
bit bits ビット
byte bytes octet octets バイト オクテット
kb kbyte kbytes キロバイト
mb mbyte mbytes メガバイト
gb gbyte gbytes ギガバイト
kbps kbit/s kbits
mbps mbit/s mbits
gbps gbit/s gbits
hz ヘルツ
khz キロヘルツ
mhz メガヘルツ
ghz ギガヘルツ
db デシベル
dbm
m meter meters metre metres メートル
km kilometer kilometers kilometre kilometres キロメートル
mm millimeter millimeters millimetre millimetres ミリメートル
cm centimeter centimeters centimetre centimetres センチメートル
w watt watts ワット
mw milliwatt milliwatts ミリワット
v volt volts ボルト
times time 回 度
times-as 倍 fold
kg キログラム
people persons person 人 名
items 個 つ 件 台 基 本 枚 種類 機 か所 箇所 カ所 ヶ所 冊 通 隻 両 頭 匹 羽 戸 番目 つ目
yen 円
euro euros ユーロ
dollar dollars ドル
degc celsius
bar bars バール
litre litres liter liters リットル
gram grams グラム
ton tons tonne tonnes トン
kwh キロワット時
rpm
ppm
"""

CLOCK = re.compile(r"\d{1,2}h\d\d")
"""A time of day in one notation: 9h30."""
COUNTERS = frozenset({"times", "people", "items"})
"""Units that Japanese needs where English has none: 3 retries are 3 回."""

_BY_NAME = {name: line.split()[0] for line in _UNITS.strip().splitlines() for name in line.split()}
_CASED = {"mW": "mw", "MW": "megawatt"}

_NUMBERS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty
"""
NUMBER_WORDS = {word: str(value) for value, word in enumerate(_NUMBERS.split())} | {
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100", "thousand": "1000", "twice": "2",
}  # fmt: skip


_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth"
ORDINALS = {word: str(value) for value, word in enumerate(_ORDINALS.split(), 2)}

_MONTHS = "january february march april may june july august september october november december"
MONTHS = {name: str(number) for number, name in enumerate(_MONTHS.split(), 1)}


def unit_of(word: str) -> str:
    """The unit a word means, in one spelling for both languages; "" for none."""
    return _CASED.get(word) or _BY_NAME.get(word.casefold(), "")
