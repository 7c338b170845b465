"""The other side of `beside_cocoindex.py`: one update of a CocoIndex flow, with our chunks and our offline embedder.

A python that has CocoIndex runs it; the packages of ours come after its own, and only where a file is read anew.

python benchmarks/cocoindex_flow.py FOLDER URL
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import asyncpg
import cocoindex as coco
import numpy as np
from cocoindex.connectors import localfs, postgres
from cocoindex.resources.file import FileLike
from cocoindex.resources.schema import VectorSchema
from numpy.typing import NDArray

FOLDER, URL, *PACKAGES = sys.argv[1:]
POOL = coco.ContextKey[asyncpg.Pool]("database")
VECTORS = VectorSchema(dtype=np.dtype(np.float32), size=1536)


@dataclass
class Chunk:
    """A row of their table."""

    path: str
    ordinal: int
    text: str
    embedding: Annotated[NDArray[np.float32], VECTORS]


@coco.lifespan
async def connected(builder: coco.EnvironmentBuilder) -> AsyncIterator[None]:
    """Their database while an update lasts."""
    async with asyncpg.create_pool(URL) as pool:
        builder.provide(POOL, pool)
        yield


@cache
def ours() -> Any:
    """What both sides share: the reading of plain text, the chunker and the embedder."""
    sys.path += PACKAGES
    from locator_search.adapters.extractors.outcome import Notes
    from locator_search.adapters.extractors.text_formats.plain_text import read
    from locator_search.adapters.offline.embedder import OfflineEmbedder
    from locator_search.indexing.chunking.heading_chunker import HeadingChunker
    from locator_search.model import Document

    def document(data: bytes) -> Document:
        return Document(tuple(read(data, Notes())), "text/plain")

    return document, HeadingChunker(), OfflineEmbedder()


@coco.fn(memo=True)
async def index_file(file: FileLike[Path], table: postgres.TableTarget[Chunk]) -> None:
    """The chunks of one file with their embeddings."""
    document, chunker, embedder = ours()
    texts = [chunk.text for chunk in chunker.chunk(document(await file.read()))]
    for ordinal, (text, row) in enumerate(zip(texts, embedder.embed(texts, "document"), strict=True)):
        table.declare_row(row=Chunk(str(file.file_path.path), ordinal, text, row))


@coco.fn
async def main() -> None:
    """Everything below the folder, in one table."""
    schema = await postgres.TableSchema.from_class(Chunk, primary_key=["path", "ordinal"])
    table = await postgres.mount_table_target(POOL, "chunks", schema, pg_schema_name="beside")
    await coco.mount_each(index_file, localfs.walk_dir(Path(FOLDER), recursive=True).items(), table)


coco.App(coco.AppConfig(name="beside"), main).update_blocking()
