"""Writes the sample into the package."""

from __future__ import annotations

import json

from locator_search.config.bundled import sample_posts
from tests.builders.sample_posts.build import sample_answer


def main() -> None:
    path = sample_posts()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(sample_answer(), ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"{path}: {len(sample_answer()['data'])} posts")


main()
