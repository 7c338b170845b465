"""Files that are like one file: its own words and its own embedding are put to the one retriever as if they were a
question. No model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from locator_search.core.errors import FileGone
from locator_search.core.model_results import KEYWORDS_ONLY, ModelResult
from locator_search.drive_search.messages import Sentences
from locator_search.drive_search.policy import similarity_of_group
from locator_search.llm.question_models import retrieve_or_words
from locator_search.model import Evidence, RetrievalQuery
from locator_search.retrieval.grouping import files_of, folded, left_of

if TYPE_CHECKING:
    from locator_search.locales import Language
    from locator_search.ports import AccessChecker, DocumentReader, IndexStore, VersionReader

SIMILAR_FROM = 0.60
"""The similarity from which a file is like another one."""
GROWTH = 4
"""So many times more files are asked for where too few of them may be shown."""


class SimilarFiles:
    """Finds the files that are like one, for whoever asks."""

    def __init__(
        self, index: IndexStore, documents: DocumentReader, versions: VersionReader, access_checker: AccessChecker
    ) -> None:
        self._index = index
        self._documents = documents
        self._versions = versions
        self._access_checker = access_checker

    def similar_to(self, file_id: str, limit: int, language: Language) -> list[Evidence]:
        """At most `limit` documents, the most similar first, without the file, its versions and its copies. What the
        source no longer shows is left out. Raises FileGone for a file not in the index, and StoreError."""
        part = self._documents.part(file_id, 1, 1)
        if part is None:
            say = Sentences.of(language)
            raise FileGone(say.similar_to_none.format(file=file_id), hint=say.similar_to_none_hint)
        file = part.file
        words = " ".join([PurePath(file.file_name).stem, *file.keywords, file.summary])
        query = RetrievalQuery(words, threshold=SIMILAR_FROM, limit=limit + 1, with_facets=False, unit="document")
        embedding = self._documents.embedding(file_id)
        while True:
            found = retrieve_or_words(self._index, query, ModelResult(embedding, KEYWORDS_ONLY)).value.evidence
            others = self._shown(file_id, found)
            if len(others) >= limit or len(found) < query.limit:
                return sorted(others, key=similarity_of_group, reverse=True)[:limit]
            # Files that may not be shown took the places.
            query = replace(query, limit=GROWTH * query.limit)

    def _shown(self, file_id: str, found: Sequence[Evidence]) -> list[Evidence]:
        """Those of other documents, folded, that the source lets be shown."""
        others = [
            item
            for item in folded(found, self._versions, "")
            if file_id not in (one.file_id for one in files_of([item]))
        ]
        checked = {item.file_id: item for item in self._access_checker.check(files_of(others))}
        return [left for item in others for left in left_of(item, checked)]
