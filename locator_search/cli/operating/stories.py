"""`document-locator status NAME`: why a file is found, or is not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from locator_search.cli.shared.lines import show_line
from locator_search.health.stories import SHOWN, StoryTexts, steps_of, why_of
from locator_search.locales import Language
from locator_search.locales.reasons import Reasons
from locator_search.ports import FileStory, KnownFile


def file_as_json(known: KnownFile) -> dict[str, object]:
    """A file and its state."""
    file = known.file
    return {
        "file_id": file.file_id,
        "file_name": file.file_name,
        "folder_path": file.folder_path,
        "state": known.state,
        "reason": known.reason,
        "next_try_at": known.next_try_at,
    }


def story_as_json(story: FileStory) -> dict[str, object]:
    """A file, its state, and how far it came."""
    return file_as_json(story.known) | {
        "attempts": story.known.attempts,
        "seen_at": story.seen_at,
        "tried_at": story.tried_at,
        "indexed_at": story.indexed_at,
        "chunks": story.chunks,
        "characters": story.characters,
        "by_model": story.by_model,
        "partition_key": story.partition_key,
    }


def show_stories(found: Sequence[FileStory], language: Language, now: datetime, zone: ZoneInfo) -> None:
    """Each file and its steps."""
    say = StoryTexts.of(language)
    if not found:
        show_line(say.no_such_file)
    for story in found[:SHOWN]:
        file, why = story.known.file, why_of(story.known, language)
        state = Reasons.of(language).states[story.known.state]
        place = f"{file.folder_path}/{file.file_name}".lstrip("/")
        show_line((place, "bold"), (f"  {state}" if why == state else f"  {state}: {why}", "dim"))
        for step in steps_of(story, language, now, zone):
            show_line(f"  {step.name}: {step.detail}")
    if len(found) > SHOWN:
        show_line((say.more_files.format(count=SHOWN), "dim"))
