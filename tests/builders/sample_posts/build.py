"""Puts topics, people and times together into one answer in the shape of X's own. The same every time."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from itertools import product
from string import Formatter
from typing import Any

from tests.builders.sample_posts.topics import ENGLISH, TOPICS, Topic

NEWEST = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
DAYS = 6.5
FIRST_ID = 1_990_000_000_000_000_000
FAMILY_NAMES = ("青木", "馬場", "千葉", "堂本", "江口", "福田", "後藤", "原", "井上", "加藤", "松本", "中村")
JOBS = ("経理", "総務", "営業", "開発", "企画", "人事", "物流", "品質", "店長", "学生")
COPIED = 14
"""Posts that somebody else posts again nearly word for word."""


def sample_answer() -> dict[str, Any]:
    """Posts and their authors."""
    chance = random.Random(20261120)
    texts = [(text, "ja") for topic in TOPICS for text in _texts(topic, chance)]
    texts += [(text, "en") for text in ENGLISH]
    texts += [(_copied(text), language) for text, language in chance.sample(texts, COPIED)]
    chance.shuffle(texts)
    users = _users()
    step = timedelta(days=DAYS) / len(texts)
    posts = [
        _post(number, text, language, chance.choice(users)["id"], NEWEST - step * number, chance)
        for number, (text, language) in enumerate(texts)
    ]
    return {
        "data": posts,
        "includes": {"users": users},
        "meta": {"result_count": len(posts), "newest_id": posts[0]["id"], "oldest_id": posts[-1]["id"]},
    }


def _texts(topic: Topic, chance: random.Random) -> list[str]:
    texts = []
    for opening in topic.openings:
        for ending in chance.sample(topic.endings, min(3, len(topic.endings))):
            choices = list(_filled(f"{opening}{ending}", topic.words))
            for text in chance.sample(choices, min(3, len(choices))):
                texts.append(text + _decoration(topic, chance))
    return list(dict.fromkeys(texts))


def _filled(text: str, words: dict[str, tuple[str, ...]]) -> list[str]:
    names = list(dict.fromkeys(name for _, name, _, _ in Formatter().parse(text) if name))
    return [
        text.format(**dict(zip(names, chosen, strict=True))) for chosen in product(*(words[name] for name in names))
    ]


def _decoration(topic: Topic, chance: random.Random) -> str:
    tag, link = f" #{chance.choice(topic.hashtags)}", f" https://t.co/{chance.getrandbits(40):x}"
    return chance.choice(("", "", tag, tag, link, f"{tag}{link}", " 😅", " 🙌"))


def _copied(text: str) -> str:
    return f"{text.partition(' https://')[0]}！ https://t.co/again{len(text)}"


def _users() -> list[dict[str, str]]:
    people = list(product(FAMILY_NAMES, JOBS))[::3]
    return [
        {"id": str(700_000_000_000 + number), "name": f"{family}＠{job}（見本）", "username": f"sample_{number:02d}"}
        for number, (family, job) in enumerate(people)
    ]


def _post(
    number: int, text: str, language: str, author_id: str, posted_at: datetime, chance: random.Random
) -> dict[str, Any]:
    likes = int(chance.paretovariate(0.9)) - 1
    return {
        "id": str(FIRST_ID - number * 1_000_003),
        "text": text,
        "author_id": author_id,
        "created_at": f"{posted_at:%Y-%m-%dT%H:%M:%S.000Z}",
        "lang": language,
        "public_metrics": {
            "like_count": min(likes, 4000),
            "reply_count": likes // 9,
            "retweet_count": likes // 5,
            "quote_count": likes // 30,
        },
    }
