"""The file and batch endpoints of an OpenAI server, scripted per test: batches end when the test says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from tests.fakes.openai_server import Body, Reply, error

Handler = Callable[[str, Body], Reply]


@dataclass
class BatchServer:
    """Answers `/files` and `/batches` itself and passes everything else on to `live`."""

    live: Handler
    files: dict[str, str] = field(default_factory=dict)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    made: int = 0
    lose_the_answer: bool = False
    """The next batch is made, but the answer that says so is lost on its way."""

    def __call__(self, address: str, body: Body) -> Reply:
        path = urlsplit(address).path.removeprefix("/v1")
        match path.strip("/").split("/"):
            case ["files"]:
                assert body["purpose"] == "batch"
                return Reply(self._file(self._keep(body["file"])))
            case ["files", file_id, "content"]:
                return Reply(self.files[file_id])
            case ["batches"] if body:
                return self._make(body)
            case ["batches"]:
                newest = list(self.batches.values())[::-1]
                return Reply({"object": "list", "data": newest, "has_more": False})
            case ["batches", batch_id]:
                known = self.batches.get(batch_id)
                return Reply(known) if known else Reply(error("no such batch", 404), 404)
        if address.startswith("DELETE"):
            self.files.pop(path.rpartition("/")[2])
            return Reply({"id": "file", "object": "file", "deleted": True})
        return self.live(address, body)

    def lines(self, batch_id: str) -> list[dict[str, Any]]:
        """The requests of a batch."""
        return [json.loads(line) for line in self.files[self.batches[batch_id]["input_file_id"]].splitlines()]

    def work(self, batch_id: str) -> list[dict[str, Any]]:
        """The lines of answers the live model gives, in the order of the requests."""
        return [
            self.line(request["custom_id"], body=self.live(request["url"], request["body"]).body)
            for request in self.lines(batch_id)
        ]

    def line(self, key: str, *, body: object = None, status: int = 200, code: str | None = None) -> dict[str, Any]:
        """One line of the output."""
        response = None if code else {"status_code": status, "request_id": "req", "body": body}
        return {"id": "r", "custom_id": key, "response": response, "error": {"code": code} if code else None}

    def end(
        self,
        batch_id: str,
        output: list[dict[str, Any]],
        errors: list[dict[str, Any]] | None = None,
        status: str = "completed",
    ) -> None:
        """The batch has ended with these lines."""
        batch = self.batches[batch_id]
        batch["status"] = status
        batch["output_file_id"] = self._keep("\n".join(map(json.dumps, output))) if output else None
        batch["error_file_id"] = self._keep("\n".join(map(json.dumps, errors))) if errors else None

    def _make(self, body: Body) -> Reply:
        assert body["completion_window"] == "24h"
        self.made += 1
        batch = {
            "id": f"batch_{self.made}",
            "object": "batch",
            "endpoint": body["endpoint"],
            "input_file_id": body["input_file_id"],
            "completion_window": "24h",
            "created_at": 1,
            "status": "in_progress",
            "metadata": body["metadata"],
            "request_counts": {"total": 1, "completed": 0, "failed": 0},
        }
        self.batches[str(batch["id"])] = batch
        if self.lose_the_answer:
            self.lose_the_answer = False
            return Reply(error("lost", 502), 502)
        return Reply(batch)

    def _keep(self, text: str) -> str:
        file_id = f"file_{len(self.files) + 1}"
        while file_id in self.files:
            file_id += "x"
        self.files[file_id] = text
        return file_id

    def _file(self, file_id: str) -> Body:
        return {
            "id": file_id,
            "object": "file",
            "bytes": 1,
            "created_at": 1,
            "filename": "questions.jsonl",
            "purpose": "batch",
            "status": "processed",
        }
