"""The files of `deploy/` have the form of Compose files and of Kubernetes' objects, by the schemas of both."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from compose_spec import PyCompose

DEPLOY = Path(__file__).parents[2] / "deploy"
VARIABLE = re.compile(r"\$\{(\w+)(?::[?+-]([^}]*))?\}")
OBJECTS: list[dict[str, Any]] = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "pages.yaml").read_text("utf-8")))


def compose() -> dict[str, Any]:
    """The Compose file as Compose reads it: variables and anchors replaced."""
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    given = {"DOCUMENTS": "/documents", "LOCATOR_GROUPS": "./groups.toml"}
    read: dict[str, Any] = yaml.safe_load(VARIABLE.sub(lambda found: given.get(found[1]) or found[2] or "name", text))
    return {name: part for name, part in read.items() if not name.startswith("x-")}


def test_the_compose_file_has_the_form_of_one() -> None:
    read = PyCompose.from_json(json.dumps(compose()))
    assert {"database", "code-server", "daemon", "dagster", "page-1", "page-2", "mcp", "proxy"} <= {
        *read.service_names()
    }


@pytest.mark.parametrize(
    ("slip", "part"),
    [
        ("sometimes", {"restart": "sometimes"}),
        ("portz", {"portz": ["80:80"]}),
        ("intervall", {"healthcheck": {"intervall": "30s"}}),
        ("soon", {"depends_on": {"tables": {"condition": "soon"}}}),
        ("bound", {"volumes": [{"type": "bound", "target": "/documents"}]}),
    ],
)
def test_a_compose_file_with_a_slip_is_refused(slip: str, part: Mapping[str, object]) -> None:
    slipped = compose()
    slipped["services"]["proxy"] |= part
    with pytest.raises(ValueError, match=slip):
        PyCompose.from_json(json.dumps(slipped))


def name_of(described: dict[str, Any]) -> str:
    return f"{described['kind']}/{described['metadata']['name']}"


@pytest.mark.parametrize("described", OBJECTS, ids=name_of)
def test_an_object_of_the_cluster_has_the_form_of_its_kind(described: dict[str, Any]) -> None:
    kubernetes_validate.validate(described, kubernetes_validate.latest_version(), strict=True)


@pytest.mark.parametrize("described", OBJECTS, ids=name_of)
def test_an_object_with_a_slip_is_refused(described: dict[str, Any]) -> None:
    slipped = deepcopy(described)
    slipped["metadata"]["labls"] = {}
    with pytest.raises(kubernetes_validate.ValidationError, match="labls"):
        kubernetes_validate.validate(slipped, kubernetes_validate.latest_version(), strict=True)
