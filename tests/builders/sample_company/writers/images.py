"""Pictures without text: a PNG, and a PDF that is only a scanned page.

Both are written byte by byte: libraries compress with zlib, whose builds differ in their output.
"""

import struct
import zlib
from itertools import groupby

from PIL import Image, ImageDraw

_PAGE = (620, 877)  # A4 at 75 dots per inch
_STORED_BLOCK = 65535


def network_diagram() -> bytes:
    """A PNG of boxes joined by lines: headquarters, factory, branch."""
    image = Image.new("1", (480, 240), 1)
    draw = ImageDraw.Draw(image)
    boxes = [(40, 90, 150, 150), (190, 30, 290, 80), (190, 160, 290, 210), (340, 90, 440, 150)]
    centres = [((left + right) // 2, (top + bottom) // 2) for left, top, right, bottom in boxes]
    for start, end in ((0, 1), (0, 2), (1, 3), (2, 3)):
        draw.line((centres[start], centres[end]), fill=0, width=2)
    for box in boxes:
        draw.rectangle(box, fill=1, outline=0, width=2)
    return _png(image)


def scanned_page() -> bytes:
    """A PDF of one page that holds a picture of lines, a frame and a seal: there is no text in it."""
    image = Image.new("1", _PAGE, 1)
    draw = ImageDraw.Draw(image)
    draw.rectangle((180, 70, 440, 96), fill=0)
    for line in range(24):
        top = 150 + line * 22
        draw.rectangle((70, top, 550 - (line * 53) % 180, top + 7), fill=0)
    draw.rectangle((330, 720, 560, 800), outline=0, width=2)
    draw.ellipse((490, 735, 540, 785), outline=0, width=3)
    return _picture_pdf(image)


def _rows(image: Image.Image) -> list[bytes]:
    width = (image.width + 7) // 8
    data = image.tobytes()
    return [data[start : start + width] for start in range(0, len(data), width)]


def _png(image: Image.Image) -> bytes:
    raw = b"".join(b"\0" + row for row in _rows(image))  # each row: filter type 0
    stored = bytearray(b"\x78\x01")
    for start in range(0, len(raw), _STORED_BLOCK):
        block = raw[start : start + _STORED_BLOCK]
        last = start + _STORED_BLOCK >= len(raw)
        stored += struct.pack("<BHH", last, len(block), len(block) ^ 0xFFFF) + block
    stored += struct.pack(">I", zlib.adler32(raw))
    header = struct.pack(">IIBBBBB", image.width, image.height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", bytes(stored)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _picture_pdf(image: Image.Image) -> bytes:
    content = b"q 595 0 0 842 0 0 cm /Scan Do Q"
    pixels = _run_lengths(b"".join(_rows(image)))
    picture = (
        f"<< /Type /XObject /Subtype /Image /Width {image.width} /Height {image.height} /ColorSpace /DeviceGray "
        f"/BitsPerComponent 1 /Filter /RunLengthDecode /Length {len(pixels)} >>"
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /XObject << /Scan 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>".encode() + b"\nstream\n" + content + b"\nendstream",
        picture.encode() + b"\nstream\n" + pixels + b"\nendstream",
    ]
    out = bytearray(b"%PDF-1.4\n")
    places: list[int] = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    trailer = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return bytes(out) + f"xref\n0 {count}\n0000000000 65535 f \n{table}{trailer}".encode()


def _run_lengths(data: bytes) -> bytes:
    """The RunLengthDecode filter of PDF, using runs only: (257 - n, byte) repeats the byte n times, 128 ends."""
    out = bytearray()
    for value, run in groupby(data):
        length = len(list(run))
        while length:
            step = min(length, 128)
            out += bytes((0, value)) if step == 1 else bytes((257 - step, value))
            length -= step
    return bytes(out) + b"\x80"
