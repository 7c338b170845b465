"""A sentence-transformers model behind OpenAI's embeddings endpoint, on this machine, to evaluate with a real model.

    python benchmarks/embedding_server.py MODEL --port 8099
    OPENAI_BASE_URL=http://127.0.0.1:8099/v1 EMBEDDING_PROVIDER=openai OPENAI_EMBEDDING_MODEL=NAME \\
        document-locator evaluate data/scifact

MODEL is a folder or a name of Hugging Face. Needs only sentence-transformers, so it can run in an environment of its
own; OMP_NUM_THREADS says how many cores it takes.
"""

from __future__ import annotations

import argparse
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any

from sentence_transformers import SentenceTransformer

one_at_a_time = Lock()


def main() -> None:
    """Load the model and serve until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--port", type=int, default=8099)
    arguments = parser.parse_args()
    model = SentenceTransformer(arguments.model, device="cpu")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
            with one_at_a_time:
                vectors = model.encode(texts, batch_size=64, normalize_embeddings=True, show_progress_bar=False)
            data = [{"object": "embedding", "index": n, "embedding": v.tolist()} for n, v in enumerate(vectors)]
            tokens = sum(len(text) for text in texts) // 4
            usage = {"prompt_tokens": tokens, "total_tokens": tokens}
            self.answer({"object": "list", "model": asked["model"], "data": data, "usage": usage})

        def answer(self, body: dict[str, Any]) -> None:
            content = json.dumps(body).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    print(f"http://127.0.0.1:{arguments.port}/v1", flush=True)
    ThreadingHTTPServer(("127.0.0.1", arguments.port), Handler).serve_forever()


if __name__ == "__main__":
    main()
