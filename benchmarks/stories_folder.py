"""A folder of somebody's own: 500 files of four kinds about the jobs of a small firm, the same each time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.builders.files.office import workbook
from tests.builders.files.pdfs import pdf
from tests.builders.files.word import paragraph, word

FILES = 500
WORDS = "水門 点検"
JOBS = ("水門", "揚水機", "配電盤", "受水槽", "冷却塔", "昇降機", "避雷針", "空調機", "発電機", "消火栓")
KINDS = ("点検報告", "見積書", "作業計画", "打合せ記録", "請求書")
TOWNS = ("安曇野", "塩尻", "諏訪", "伊那", "飯田", "佐久", "上田", "須坂")


def generated_folder(folder: Path) -> Path:
    """Write the files."""
    for number in range(FILES):
        job, kind, town = JOBS[number % 10], KINDS[number // 10 % 5], TOWNS[number % 8]
        name, place = f"{kind}_{job}_{town}_{number:03}", folder / town / f"{2023 + number % 4}年度"
        place.mkdir(parents=True, exist_ok=True)
        lines = [
            f"{kind} 第{number}号",
            f"{town}市の{job}について、{2023 + number % 4}年{number % 12 + 1}月に行った作業をまとめる。",
            *(f"{part}の{job}は{word}。担当は{number % 7 + 1}班である。" for part, word in PARTS),
        ]
        _write(place / name, lines, number % 4)
    return folder


PARTS = (
    ("北側", "腐食が進み、塗り直しが要る"),
    ("南側", "動作に異常がない"),
    ("予備", "部品を取り替えた"),
    ("屋内", "騒音が基準より大きい"),
    ("屋外", "雨水が入った跡がある"),
)


def _write(path: Path, lines: Sequence[str], kind: int) -> None:
    if kind == 0:
        word(path.with_suffix(".docx"), "".join(map(paragraph, lines)))
    elif kind == 1:
        pdf(path.with_suffix(".pdf"), [lines, lines[2:]])
    elif kind == 2:
        workbook(path.with_suffix(".xlsx"), {"記録": [[line, number] for number, line in enumerate(lines)]})
    else:
        path.with_suffix(".md").write_text("\n\n".join(lines), encoding="utf-8")
