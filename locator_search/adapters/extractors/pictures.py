"""Texts that pictures and shapes say of themselves: titles and descriptions by people, not those by programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from locator_search.adapters.extractors.cleaning import clean, one_line
from locator_search.model import Block

# Programs end what they describe by themselves with such a sentence, in the language of the person.
_GENERATED = re.compile(
    r"(?:Description (?:automatically )?generated(?: with (?:very )?(?:low|medium|high) confidence)?"
    r"|AI[- ]generated content may be incorrect"
    r"|自動(?:的に)?生成された説明|説明は自動(?:的に|で)生成された(?:もの)?です"
    r"|AI ?生成コンテンツは誤りを含む可能性があります"
    r"|AI ?(?:によって|で)生成されたコンテンツは.{1,12}可能性があります"
    r"|描述已自动生成|自动生成的(?:描述|说明)|自動產生的描述|AI ?(?:生成|產生)的(?:内容|內容)可能不正[确確]"
    r"|자동 생성된 설명|AI(?:가)? 생성(?:한)? 콘텐츠는 .{1,20}"
    r"|Automatisch generierte Beschreibung|Beschreibung automatisch generiert"
    r"|KI-generierte Inhalte können fehlerhaft sein"
    r"|Description générée automatiquement(?: avec .{1,40})?|Le contenu généré par l.IA peut être incorrect"
    r"|Descripción generada automáticamente(?: con .{1,40})?|El contenido generado por IA puede ser incorrecto)\W*$",
    re.IGNORECASE,
)
# What such a program says where its sentence was taken away, a list of things; and what stands on every master slide.
_OTHERS = re.compile(
    r"(?:A picture|An image) containing [^.]*|.* が含まれている画像|图片包含 .*"
    r"|.*Click to edit Master .*|.*マスター ?(?:タイトル|サブタイトル|テキスト)の書式設定.*",
    re.IGNORECASE,
)
_FILE = re.compile(
    r".*\.(?:png|jpe?g|jfif|gif|bmp|tiff?|emf|wmf|emz|wmz|svgz?|webp|heic|ico|eps|wdp|pict|psd|vsdx?|pdf|docx?|xlsx?|pptx?)(?:@\S*)?"
    r"|[a-z0-9-]*_[a-z0-9_.-]*|.*\[\d+\]"  # the name of a file without its suffix, as PowerPoint took it
    r"|(?:https?|cid|data|file):\S*|[0-9a-f]{8}[0-9a-f-]{8,}"
    r"|(?:img|image|pict?|dsc[nf]?|clip_?image|screen ?shot|スクリーンショット)(?:[\d\W_]|at|am|pm|午前|午後)*",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:(?:content|picture|text|straight|rounded|free|title|subtitle)[ -]?)?"
    r"(?:name|picture|image|photo|fig|tab|graphics?|icon|logo|spacer|bullet|shape|object|figure|drawing|diagram|chart|table"
    r"|group|line|title|rectangle|oval|form|connector|arrow|box|placeholder|bild|grafik|imagen|immagine"
    r"|図|図形|画像|写真|イメージ|アイコン|ロゴ|グラフ|表|オブジェクト|グラフィックス|グループ(?: ?化)?"
    r"|テキスト ?ボックス|正方形/長方形|四角形|楕円|直線 ?コネクタ|矢印|线|图片|图形|圖片|그림)\s*\d*",
    re.IGNORECASE,
)
_WRITTEN_FOR_PROGRAMS = ("{", "<")


def alternative_text(*written: str | None) -> str:
    """Title and description as lines, each that people wrote and that says more than the other; "" for none."""
    said: list[str] = []
    for line in filter(_says_something, (one_line(clean(each or "")) for each in written)):
        said = [other for other in said if other not in line]
        said += [] if any(line in other for other in said) else [line]
    return "\n".join(said)


def picture_blocks(texts: Iterable[str], page: int | None = None) -> Iterator[Block]:
    """Texts of pictures as blocks of their own, which are no headings whatever they say."""
    return (Block("picture", text, page=page) for text in dict.fromkeys(texts) if text)


def once_a_page(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks without pictures that say again what one on the same page has said: logos, bullets, copies."""
    said: set[tuple[int | None, str]] = set()
    for block in blocks:
        if block.kind != "picture":
            yield block
        elif (block.page, block.text) not in said:
            said.add((block.page, block.text))
            yield block


def _says_something(line: str) -> bool:
    return (
        any(character.isalpha() for character in line)
        and not line.startswith(_WRITTEN_FOR_PROGRAMS)
        and not any(pattern.fullmatch(line) for pattern in (_NAME, _FILE, _OTHERS))
        and _GENERATED.search(line) is None
    )
