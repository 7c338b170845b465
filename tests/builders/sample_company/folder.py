"""The whole sample folder: the texts in their formats, and the files every real folder has: copies, scans, wreckage."""

from pathlib import Path, PurePosixPath

from tests.builders.sample_company.markup import parse
from tests.builders.sample_company.sample import Sample
from tests.builders.sample_company.texts import (
    development,
    development_minutes,
    general_affairs,
    information_systems,
    legal,
    management,
    munich,
    people,
    quality,
    sales,
    sales_weekly,
)
from tests.builders.sample_company.writers import docx, images, pdf, plain, pptx, xlsx

_DEPARTMENTS = (
    management,
    sales_weekly,
    sales,
    general_affairs,
    development_minutes,
    development,
    quality,
    people,
    legal,
    information_systems,
    munich,
)

EMPTY = "情報システム/計画/新しいテキスト ドキュメント.txt"
TRUNCATED = information_systems.MIGRATION_PLAN.path
SCAN = "法務/契約書/2024/秘密保持契約書_K-2024-017_押印済みスキャン.pdf"
PICTURE = "情報システム/計画/ネットワーク構成図.png"
COPIES = {
    "営業部/顧客/北斗製鋼/秘密保持契約書_K-2024-017_北斗製鋼.docx": legal.NON_DISCLOSURE,
    "人事部/研修/VPN接続マニュアル - コピー.pdf": information_systems.VPN_MANUAL,
}


def folder() -> dict[str, bytes]:
    """Every file of the sample folder: path below it (with "/") to content."""
    files = {sample.path: render(sample) for department in _DEPARTMENTS for sample in department.SAMPLES}
    migration_plan = render(information_systems.MIGRATION_PLAN)
    files |= {copy: files[original] for copy, original in COPIES.items()}
    return files | {
        EMPTY: b"",
        TRUNCATED: migration_plan[: len(migration_plan) * 3 // 5],
        SCAN: images.scanned_page(),
        PICTURE: images.network_diagram(),
    }


def write_folder(target: Path) -> dict[str, int]:
    """Write the sample folder below ``target``; return the size of each file by path. Other files stay as they are."""
    files = folder()
    for path, content in files.items():
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return {path: len(content) for path, content in files.items()}


def render(sample: Sample) -> bytes:
    """The bytes of one sample, in the format its suffix names."""
    blocks = parse(sample.text)
    match PurePosixPath(sample.path).suffix:
        case ".md":
            return plain.markdown(blocks)
        case ".txt":
            return plain.plain_text(blocks, sample.encoding)
        case ".csv":
            return plain.comma_separated(blocks, sample.encoding)
        case ".html":
            return plain.html(blocks)
        case ".docx":
            return docx.word_document(blocks)
        case ".xlsx":
            return xlsx.workbook(blocks)
        case ".pptx":
            return pptx.slides(blocks)
        case ".pdf":
            return pdf.pdf(blocks, sample.password)
        case suffix:
            raise ValueError(f"no writer for {suffix} files: {sample.path}")
