"""Words that say nothing about a document."""

from __future__ import annotations

_ENGLISH = """
a about above after again against all also am an and any are as at be because been before being below between both but
by can could did do does doing down during each few for from further had has have having he her here hers him his how i
if in into is it its just may me more most my no nor not of off on once only or other our ours out over own same she
should so some such than that the their theirs them then there these they this those through to too under until up upon
us very was we were what when where which while who whom why will with would you your yours
"""

ENGLISH_STOP_WORDS = frozenset(_ENGLISH.split())


_GRAMMATICAL_WORDS = """
為る 有る 居る 成る よる 因る 言う おく おる つく 無い 出来る 行う 呼ぶ 対する 関する 於く 於ける 此の 其の 此れ 其れ
此処 其処 為 又 然し 更に 及び 等 若しくは 或いは そして 我 とも さ つ こと 物 よう うち 的 者 他 所 中 上 内
間 後 時 何 誰 いつ どこ どの どう どれ どんな 何故 幾つ 幾ら 何れ
"""

GRAMMATICAL_WORDS = frozenset(_GRAMMATICAL_WORDS.split())
"""Japanese words of any sentence, in the normalised form of terms: する is 為る, ある is 有る."""

_ASKING = """
事 何時 何処 御 方 件 話 場合 訳 仕方 遣り方 何方 知る 教える 見る 探す 下さる 呉れる 頂く 貰う 良い 欲しい 思う 分かる
調べる 決まり
"""

WORDS_OF_ASKING = GRAMMATICAL_WORDS | frozenset(_ASKING.split())
"""With the words of asking, which say nothing about the file that is asked for."""
