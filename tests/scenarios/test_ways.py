"""A question and a file stay short to follow."""

from benchmarks.ways import measured_ways

MODULES_OF_A_QUESTION = 64
MODULES_OF_A_FILE = 52


def test_few_modules_are_entered() -> None:
    question, file = measured_ways().values()

    assert len(question.modules) <= MODULES_OF_A_QUESTION, question.modules
    assert len(file.modules) <= MODULES_OF_A_FILE, file.modules
