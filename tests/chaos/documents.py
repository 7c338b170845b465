"""Folders of documents to crawl: many kinds, some damaged, one that kills its reader."""

from __future__ import annotations

import hashlib
import shutil
from email.message import EmailMessage
from pathlib import Path
from random import Random

from tests.builders.files.office import presentation, workbook
from tests.builders.files.pdfs import pdf
from tests.builders.files.word import paragraph, word

FOLDER_NAME = "共有"
QUESTION = "椿計画の予算はいくらですか"
ANSWERING = "椿計画の議事録.md"
"""The file that holds the answer to the question."""
DEPARTMENTS = ("営業部", "開発部/試験", "総務部/2026年", "品質保証部")


def make_documents(folder: Path, chance: Random, count: int) -> Path:
    """Write about `count` files below `folder`; the same chance makes the same texts."""
    for number in range(count - 12):
        place = folder / DEPARTMENTS[number % len(DEPARTMENTS)]
        place.mkdir(parents=True, exist_ok=True)
        _write_healthy(place, number, _text_of(number, chance), chance)
    (folder / ANSWERING).write_text("# 椿計画の議事録\n\n椿計画の予算は三百万円と決まった。\n", "utf-8")
    _write_damaged(folder / "届いたもの")
    return folder


def digest_of(folder: Path) -> str:
    """Of everything that a crawl could see of a folder: paths, contents, times and rights."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        found.update(f"{path}\0{status.st_mtime_ns}\0{status.st_mode}\0".encode("utf-8", "surrogateescape"))
        if path.is_file() and not path.is_symlink():
            found.update(path.read_bytes())
    return found.hexdigest()


def copy_of(folder: Path, place: Path) -> Path:
    """The same folder elsewhere, to be changed."""
    return shutil.copytree(folder, place / FOLDER_NAME, symlinks=True)


def _text_of(number: int, chance: Random) -> str:
    subject = chance.choice(("納期", "検査", "見積もり", "採用", "保守"))
    parts = [f"第{number}号 {subject}の報告"]
    for section in range(chance.randint(1, 6)):
        parts.append(
            f"{section + 1}. {subject}について、案件{number}-{section}の進み具合を報告する。" * chance.randint(1, 6)
        )
    parts.append("この文書は社外秘である。取り扱いは文書管理規程に従うこと。")
    return "\n\n".join(parts)


def _write_healthy(place: Path, number: int, text: str, chance: Random) -> None:
    lines = text.splitlines()
    kind = chance.choices(
        ("txt", "cp932", "md", "csv", "html", "eml", "docx", "xlsx", "pptx", "pdf"), (4, 2, 4, 2, 2, 2, 3, 1, 1, 2)
    )
    match kind[0]:
        case "txt":
            (place / f"報告{number:03}.txt").write_text(text, "utf-8")
        case "cp932":
            (place / f"旧報告{number:03}.txt").write_bytes(text.encode("cp932"))
        case "md":
            (place / f"報告{number:03}.md").write_text("# " + text, "utf-8")
        case "csv":
            (place / f"一覧{number:03}.csv").write_text(
                "\n".join(f"{line},{number}" for line in lines if line), "utf-8"
            )
        case "html":
            (place / f"案内{number:03}.html").write_text(
                f"<html><body><h1>{lines[0]}</h1><p>{text}</p></body></html>", "utf-8"
            )
        case "eml":
            (place / f"連絡{number:03}.eml").write_bytes(_mail(lines[0], text))
        case "docx":
            word(place / f"文書{number:03}.docx", "".join(paragraph(line) for line in lines if line))
        case "xlsx":
            workbook(place / f"表{number:03}.xlsx", {"一": [[line, number] for line in lines if line]})
        case "pptx":
            presentation(place / f"発表{number:03}.pptx")
        case _:
            pdf(place / f"資料{number:03}.pdf", [[line[:40] for line in lines if line]])


def _mail(subject: str, text: str) -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = subject, "soma@example.co.jp", "all@example.co.jp"
    message["Date"] = "Mon, 02 Nov 2026 09:00:00 +0900"
    message.set_content(text)
    return message.as_bytes()


def _write_damaged(place: Path) -> None:
    """Eleven files: what a shared folder holds besides documents."""
    place.mkdir(parents=True)
    (place / "毒.txt").write_text("POISON これを読む処理は落ちる。", "utf-8")
    (place / "空.txt").touch()
    (place / "壊れた.pdf").write_text("%PDF-1.7 and then nothing", "utf-8")
    (place / "壊れた.docx").write_bytes(b"PK\x03\x04 cut off")
    pdf(place / "鍵つき.pdf", [["秘密の資料"]], password="secret")
    (place / "写真.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (place / "不明.xyz").write_bytes(bytes(range(256)))
    for copy in ("控え.md", "控え - コピー.md", "控え(2).md"):
        (place / copy).write_text("# 控え\n\n同じ文書がいくつもある。\n", "utf-8")
    (place / "改行だけ.md").write_text("\n\n\n", "utf-8")
