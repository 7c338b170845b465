"""A large collection of pseudo-Japanese files for `retrieval.py`, the same for the same seed.

Words are drawn by Zipf's law (flattened for the first ten) and put together into sentences with particles; each topic
has sentences of its own. A chunk is ten sentences, most of them of its file's topic, and a line with a number and names
of its own. Terms are those of the real analyser, made once per sentence. A chunk's vector is either the sum of what the
offline embedder makes of its sentences (`hashed`), or (`clustered`) a point around the centre of its topic with what
real models add: a direction that all vectors share (two random chunks have a cosine of about 0.18) and noise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.model import Chunk, FileRef, FileSummary, IndexedChunk, IndexEntry, Terms
from locator_search.text.terms import analyse

if TYPE_CHECKING:
    from locator_search.model import Vector

VectorKind = Literal["hashed", "clustered"]
Numbers = NDArray[np.int64]

DIMENSIONS = 1536
CHUNKS_PER_FILE = 10
SENTENCES = 30_000
TOPICS = 300
PER_TOPIC = 90
VOCABULARY = 40_000
BEGIN = datetime(2024, 1, 1, tzinfo=UTC)

SHARES = {"all": 1.0, "50%": 0.5, "5%": 0.05, "0.5%": 0.005}
"""Filters by what part of the files they let pass. The 5% are the files of some topics; the others lie anywhere."""

KANJI = [bytes((row, cell)).decode("euc_jp") for row in range(0xB0, 0xCF) for cell in range(0xA1, 0xFF)]
"""JIS level 1: those in common use, and then some."""
KATAKANA = [chr(point) for point in range(ord("ア"), ord("ン"))]
PARTICLES = ("の", "を", "は", "に", "で", "と", "が", "から", "まで", "について", "による", "として")
ENDINGS = ("した。", "する。", "である。", "となった。", "を行う。", "が必要である。", "を確認した。")


@dataclass(frozen=True)
class Question:
    """A question: a text, its vector, and the file it was taken from."""

    text: str
    embedding: Vector
    file: int


class Corpus:
    """`chunks` chunks in files of CHUNKS_PER_FILE. With `short`, a chunk is one sentence: for vectors alone."""

    def __init__(self, chunks: int, kind: VectorKind, *, short: bool = False, seed: int = 1) -> None:
        self.files = chunks // CHUNKS_PER_FILE
        self.chunks = self.files * CHUNKS_PER_FILE
        self.kind = kind
        self.short = short
        self._seed = seed
        draw = np.random.default_rng(seed)
        self.topic_of_file = draw.integers(0, TOPICS, self.files)
        self.folder_of_file = draw.integers(0, 40, self.files)
        dice = draw.random(self.files)
        self.passes = {
            "all": np.ones(self.files, dtype=bool),
            "50%": dice < 0.5,
            "5%": self.topic_of_file < TOPICS * 0.05,
            "0.5%": dice > 0.995,
        }
        own = _drawn(draw, PER_TOPIC, (self.chunks, 10))
        topics = np.repeat(self.topic_of_file, CHUNKS_PER_FILE)
        general = SENTENCES - 1 - _drawn(draw, SENTENCES - TOPICS * PER_TOPIC, (self.chunks, 10))
        of_topic = draw.random((self.chunks, 10)) < 0.7
        self.sentences_of: Numbers = np.where(of_topic, topics[:, None] * PER_TOPIC + own, general)
        if short:
            self.sentences_of = self.sentences_of[:, :1]

    # Texts

    @cached_property
    def words(self) -> list[str]:
        """The vocabulary, most frequent first."""
        draw = np.random.default_rng(self._seed + 1)
        words = []
        for number in range(VOCABULARY):
            if number % 10 == 9:
                words.append("".join(draw.choice(KATAKANA, draw.integers(3, 6))))
            elif number % 25 == 3:
                words.append("".join(draw.choice(list("abcdefghiklmnoprstu"), draw.integers(4, 9))))
            else:
                words.append("".join(draw.choice(KANJI, draw.integers(2, 5))))
        return words

    @cached_property
    def sentences(self) -> list[str]:
        """Sentences of four to nine words, drawn by Zipf's law."""
        draw = np.random.default_rng(self._seed + 2)
        sentences = []
        for _ in range(SENTENCES):
            numbers = _drawn(draw, VOCABULARY, (int(draw.integers(4, 10)),))
            joined = "".join(self.words[n] + PARTICLES[draw.integers(len(PARTICLES))] for n in numbers[:-1])
            sentences.append(joined + self.words[numbers[-1]] + ENDINGS[draw.integers(len(ENDINGS))])
        return sentences

    @cached_property
    def terms(self) -> list[Terms]:
        """Of every sentence."""
        return [analyse(sentence) for sentence in self.sentences]

    def own_line(self, chunk: int) -> str:
        """The line that no other chunk has."""
        return f"KX-{chunk:07} {_name(chunk)} {_name(chunk * 7 + 3)}"

    def text(self, chunk: int) -> str:
        """The text of a chunk."""
        return "".join(self.sentences[n] for n in self.sentences_of[chunk]) + self.own_line(chunk)

    def counts(self, chunk: int) -> Counter[str]:
        """The terms of a chunk: those of its sentences and of its own line."""
        counts: Counter[str] = Counter()
        for terms in (*(self.terms[n] for n in self.sentences_of[chunk]), analyse(self.own_line(chunk))):
            for term, frequency in zip(terms.terms, terms.frequencies, strict=True):
                counts[term] += frequency
        return counts

    def name(self, file: int) -> str:
        """A file's name: two words of its topic and a number."""
        first = self.sentences[self.topic_of_file[file] * PER_TOPIC]
        return f"{first[:4]}{self.words[50 + file % 900]}_{file:06}.docx"

    # Vectors

    @cached_property
    def _sentence_vectors(self) -> Vector:
        return OfflineEmbedder().embed(self.sentences, "document")

    @cached_property
    def _centres(self) -> Vector:
        return _unit(np.random.default_rng(self._seed + 3).standard_normal((TOPICS * 8, DIMENSIONS), dtype=np.float32))

    def vectors(self, start: int, stop: int) -> Vector:
        """Of the chunks [start:stop], float32 (n, 1536), rows of length 1."""
        draw = np.random.default_rng((self._seed, start))
        noise = draw.standard_normal((stop - start, DIMENSIONS), dtype=np.float32) / np.sqrt(DIMENSIONS)
        if self.kind == "hashed":
            mixed = self._sentence_vectors[self.sentences_of[start:stop]].sum(axis=1)
            return _unit(mixed + noise.astype(np.float32))
        files = np.arange(start, stop) // CHUNKS_PER_FILE
        topics = self.topic_of_file[files]
        finer = topics + TOPICS * (1 + self.sentences_of[start:stop, 0] % 7)
        return _unit(0.45 * self._centres[0] + 0.45 * self._centres[topics] + 0.5 * self._centres[finer] + 0.7 * noise)

    # Files

    def entries(self, start: int, stop: int) -> Iterator[IndexEntry]:
        """Files [start:stop] as the index takes them."""
        vectors = self.vectors(start * CHUNKS_PER_FILE, stop * CHUNKS_PER_FILE)
        for file in range(start, stop):
            first = file * CHUNKS_PER_FILE
            own = vectors[first - start * CHUNKS_PER_FILE :][:CHUNKS_PER_FILE]
            within = [name for name, passes in self.passes.items() if passes[file]]
            yield IndexEntry(
                file=FileRef(
                    file_id=f"file-{file:07}",
                    file_name=self.name(file),
                    source="benchmark",
                    mime_type="text/plain",
                    modified_at=BEGIN + timedelta(minutes=file),
                    revision="1",
                    link=f"https://example.com/{file}",
                    folder_path=self._folder(file),
                    location="",
                    size=1000,
                ),
                content_hash=f"{file:064}",
                parser_version="1",
                chunker_version="1",
                summary=FileSummary(self.text(first)[:300], (self._keyword(file), *within)),
                embedding=_unit(own.sum(axis=0, keepdims=True))[0],
                embedding_model="offline-hashed-ngrams-2" if self.kind == "hashed" else "text-embedding-3-small",
                chat_model="none",
                chunks=tuple(
                    IndexedChunk(Chunk(n, self.text(first + n), 0, 1), _terms(self.counts(first + n)), own[n])
                    for n in range(CHUNKS_PER_FILE)
                ),
                name_terms=self.name_terms(file),
                metadata={"within": [*within]},
            )

    def name_terms(self, file: int) -> Terms:
        """The keyword terms of a file's name, keyword and folder."""
        return analyse(f"{self.name(file)} {self._keyword(file)} {self._folder(file)}")

    def _keyword(self, file: int) -> str:
        return self.words[50 + file % 900]

    def _folder(self, file: int) -> str:
        return f"共有/{self.words[self.folder_of_file[file]]}"

    # Questions

    def questions(self, count: int) -> list[Question]:
        """Parts of sentences of random chunks, every second one with a name that the chunk has for itself."""
        draw = np.random.default_rng((self._seed, 99))
        chunks = draw.integers(0, self.chunks, count)
        texts = []
        for number, chunk in enumerate(chunks):
            sentence = self.sentences[self.sentences_of[chunk, int(draw.integers(self.sentences_of.shape[1]))]]
            start = int(draw.integers(0, max(1, len(sentence) - 16)))
            own = f" {_name(chunk)}" if number % 2 else ""
            texts.append(sentence[start : start + int(draw.integers(8, 20))] + own)
        if self.kind == "hashed":
            embeddings = OfflineEmbedder().embed(texts, "query")
        else:
            noise = draw.standard_normal((count, DIMENSIONS), dtype=np.float32) / np.sqrt(DIMENSIONS)
            near = np.concatenate([self.vectors(chunk, chunk + 1) for chunk in chunks])
            embeddings = _unit(0.7 * near + 0.7 * noise)
        return [
            Question(text, embedding, int(chunk) // CHUNKS_PER_FILE)
            for text, embedding, chunk in zip(texts, embeddings, chunks, strict=True)
        ]


def _drawn(draw: np.random.Generator, values: int, shape: tuple[int, ...]) -> Numbers:
    """Numbers below `values`; the n-th is drawn in proportion to 1 / (n + 10)."""
    # The inverse of the sum, ln(1 + n / 10).
    numbers: Numbers = (10 * np.expm1(draw.random(shape) * np.log1p(values / 10))).astype(np.int64)
    return numbers


def _name(number: int) -> str:
    """A Latin name that few chunks share."""
    letters, rest = "", number * 2_654_435_761 % 2**32
    for consonants in ("bdfgk", "mnprst", "vzlhw"):
        rest, first = divmod(rest, len(consonants))
        rest, second = divmod(rest, 5)
        letters += consonants[first] + "aeiou"[second]
    return letters + "x"


def _terms(counts: Counter[str]) -> Terms:
    return Terms(tuple(counts), tuple(counts.values()))


def _unit(vectors: Vector) -> Vector:
    unit: Vector = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit
