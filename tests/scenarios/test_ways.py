"""A question and a file stay short to follow."""

from benchmarks.ways import measured_ways

MODULES_OF_A_QUESTION = 67
MODULES_OF_A_FILE = 55
"""Three more than before the offline model's rules were parted, so that a crawl without news loads none of them."""


def test_few_modules_are_entered() -> None:
    question, file = measured_ways().values()

    assert len(question.modules) <= MODULES_OF_A_QUESTION, question.modules
    assert len(file.modules) <= MODULES_OF_A_FILE, file.modules
