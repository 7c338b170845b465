import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locator_search.adapters.offline.embedder import OfflineEmbedder
from locator_search.retrieval.binary_codes import DIMENSIONS, rotate

EMBEDDER = OfflineEmbedder()


def cosine(one: str, other: str) -> float:
    first, second = EMBEDDER.embed([one, other], "document")
    return float(first @ second)


@settings(deadline=None)
@given(st.lists(st.text(max_size=100), max_size=8))
def test_every_text_becomes_one_unit_vector(texts: list[str]) -> None:
    vectors = EMBEDDER.embed(texts, "document")
    assert vectors.shape == (len(texts), DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("text", ["", "  \n", "\u200b", "の", "※", "\udc83"])
def test_a_text_without_words_has_a_direction_too(text: str) -> None:
    assert np.isfinite(EMBEDDER.embed([text], "query")).all()
    assert cosine(text, text) == pytest.approx(1, abs=1e-5)


def test_a_related_text_is_nearer_than_an_unrelated_one() -> None:
    question = "出張の交通費を精算する方法"
    related = "交通費の精算は、出張から戻って五日以内に申請する。"
    unrelated = "新製品の外装は青と白の二色とし、金型を共用する。"
    assert cosine(question, related) > cosine(question, unrelated) + 0.2


def test_spelling_variants_share_their_direction() -> None:
    assert cosine("打合せ", "打ち合わせ") > 0.4
    assert cosine("ｻｰﾊﾞｰの構成", "サーバーの構成") == pytest.approx(1, abs=1e-5)


def test_words_of_any_text_say_little_however_they_are_written() -> None:
    assert cosine("検査をしている人がいる", "調達をしている物がある") < 0.1
    assert cosine("the cost of the repair", "the end of the lease") < 0.1
    assert cosine("どこで何が誰によって検査されますか", "検査") > 0.5


def test_batches_do_not_change_the_vectors() -> None:
    texts = [f"第{number}号議案 予算の承認" for number in range(600)]
    together = EMBEDDER.embed(texts, "document")
    assert np.allclose(together[[0, 255, 256, 599]], EMBEDDER.embed([texts[i] for i in (0, 255, 256, 599)], "query"))


def test_many_threads_get_the_same_vectors_as_one() -> None:
    texts = [f"契約{number}の更新について" for number in range(50)]
    alone = EMBEDDER.embed(texts, "document")
    with ThreadPoolExecutor(5) as pool:
        rows = list(pool.map(lambda text: EMBEDDER.embed([text], "document")[0], texts))
    assert np.allclose(alone, rows, atol=1e-6)


def fingerprint(text: str) -> str:
    """All coordinates, rounded: a change would make stored vectors and new ones disagree."""
    return hashlib.sha256(np.round(EMBEDDER.embed([text], "query") * 256).astype("<i2").tobytes()).hexdigest()[:16]


def test_the_vectors_are_the_same_in_every_process_and_release() -> None:
    code = "from tests.unit.test_offline_embedder import fingerprint; print(fingerprint('契約書 ABC-1234'))"
    environment = {"PYTHONHASHSEED": "1", "PYTHONUTF8": "1"}
    checkout = Path(__file__).parents[2]
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=checkout, env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == fingerprint("契約書 ABC-1234")
    assert fingerprint("契約書 ABC-1234") == "7202333442b5acb8", "a new kind of vector needs a new model_name"


def test_the_rotation_keeps_lengths_and_angles() -> None:
    identity = np.eye(DIMENSIONS, dtype=np.float32)
    rotated = rotate(identity)
    assert np.allclose(rotated @ rotated.T, identity, atol=1e-5)


def test_one_term_reaches_every_coordinate() -> None:
    assert (np.abs(EMBEDDER.embed(["x"], "query")) > 1e-4).mean() > 0.5
