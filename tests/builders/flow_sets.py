"""``python -m tests.builders.flow_sets OUT_DIR`` writes two data sets for ``document-locator evaluate DIR --flow``:
``samples`` (the sample company) and ``second_company``.
"""

from __future__ import annotations

import sys
from pathlib import Path

from locator_search.evaluation.flow_dataset import FILES, write_flow_questions
from tests.builders.sample_company import folder as sample_folder
from tests.builders.sample_company import more_questions as sample_questions
from tests.builders.second_company import folder as second_folder
from tests.builders.second_company import questions as second_questions


def write_samples(target: Path) -> Path:
    """The sample folder with its questions; returns `target`."""
    (target / FILES).mkdir(parents=True)
    sample_folder.write_folder(target / FILES)
    write_flow_questions(target, sample_questions.questions())
    return target


def write_second_company(target: Path) -> Path:
    """The second company with its questions; returns `target`."""
    (target / FILES).mkdir(parents=True)
    second_folder.write_files(target / FILES)
    write_flow_questions(target, second_questions.questions())
    return target


if __name__ == "__main__":
    write_samples(Path(sys.argv[1], "samples"))
    write_second_company(Path(sys.argv[1], "second_company"))
