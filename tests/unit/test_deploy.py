"""The files of `deploy/` name commands, settings, ports and paths that exist. No container is built here."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import typer.main
import yaml

from locator_assets.staged.failures import CODE_LOCATION
from locator_search.adapters.postgres.server.address import dagster_url
from locator_search.cli.operating.mcp import PORT
from locator_search.cli.up import local_servers
from locator_search.config.settings import Settings
from tests.builders.command_line import app

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text("utf-8"))
DOCKERFILE = (ROOT / "deploy" / "Dockerfile").read_text("utf-8")
PARTS = {name: part for name, part in COMPOSE["services"].items() if part["image"] == "document-locator"}
VALUES: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "kubernetes" / "values.yaml").read_text("utf-8"))
PAGES: list[dict[str, Any]] = list(
    yaml.safe_load_all((ROOT / "deploy" / "kubernetes" / "pages.yaml").read_text("utf-8"))
)
PODS = [one["spec"]["template"]["spec"] for one in PAGES if one["kind"] in ("Deployment", "Job")]
CONTAINERS = {
    each["name"]: each for pod in PODS for each in pod["containers"] if each["image"].startswith("document-locator:")
}
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
NEEDED = [
    "DATABASE_URL",
    "LOCATOR_FOLDERS",
    "LOCATOR_PAGE_URL",
    "LOCATOR_DAGSTER_URL",
    "LOCATOR_MCP_URL",
    "LOCATOR_ALLOWED_USERS",
    "LOCATOR_PERMISSIONS",
    "LOCATOR_GROUPS",
    "LOCATOR_ADMINISTRATORS",
    "LOCATOR_LINK_SECRET",
    "LOCATOR_METRICS_TOKEN",
    "LOCATOR_CRAWL_SLOTS",
    "LOCATOR_REQUEST_SLOTS",
]
"""Settings that parts of one deployment have in common."""
PROXIES = {
    "compose": (ROOT / "deploy" / "Caddyfile").read_text("utf-8"),
    "cluster": next(one["data"]["Caddyfile"] for one in PAGES if one["kind"] == "ConfigMap"),
}
DAGSTER: dict[str, Any] = yaml.safe_load((ROOT / "dagster.yaml").read_text("utf-8"))
CHART = {  # the keys that the templates of Dagster's own chart read, as far as we set them
    "": "global generatePostgresqlPasswordSecret postgresql dagster-user-deployments runLauncher concurrency"
    " dagsterDaemon dagsterWebserver computeLogManager telemetry retention additionalInstanceConfig",
    "global": "postgresqlSecretName",
    "postgresql": "enabled postgresqlHost postgresqlUsername postgresqlDatabase postgresqlScheme postgresqlParams",
    "dagster-user-deployments": "enabled enableSubchart deployments",
    "dagster-user-deployments.deployments": "name image codeServerArgs port envSecrets includeConfigInLaunchedRuns",
    "dagster-user-deployments.deployments.includeConfigInLaunchedRuns": "enabled",
    "runLauncher": "type config",
    "runLauncher.config": "k8sRunLauncher",
    "runLauncher.config.k8sRunLauncher": "imagePullPolicy runK8sConfig",
    "runLauncher.config.k8sRunLauncher.runK8sConfig": "containerConfig jobSpecConfig",
    "concurrency": "enabled pools runs",
    "concurrency.pools": "defaultLimit granularity",
    "concurrency.runs": "maxConcurrentRuns",
    "dagsterDaemon": "image envSecrets runMonitoring runRetries",
    "dagsterDaemon.runMonitoring": "enabled startTimeoutSeconds maxRuntimeSeconds maxResumeRunAttempts"
    " pollIntervalSeconds freeSlotsAfterRunEndSeconds",
    "dagsterDaemon.runRetries": "enabled maxRetries retryOnAssetOrOpFailure",
    "dagsterWebserver": "image envSecrets workspace",
    "dagsterWebserver.workspace": "enabled servers",
    "dagsterWebserver.workspace.servers": "host port name",
    "computeLogManager": "type",
    "telemetry": "enabled",
    "retention": "enabled sensor schedule",
    "retention.sensor": "purgeAfterDays",
    "retention.schedule": "purgeAfterDays",
}
PARTS_OF_CHART = ("dagster-user-deployments.deployments", "dagsterDaemon", "dagsterWebserver")
CHART |= {f"{part}.image": "repository tag pullPolicy" for part in PARTS_OF_CHART}
CHART |= {f"{part}.envSecrets": "name" for part in PARTS_OF_CHART}
PASSED_ON = {"postgresqlParams", "containerConfig", "jobSpecConfig", "purgeAfterDays", "additionalInstanceConfig"}


def _places(value: Any, at: str = "") -> Iterator[tuple[str, str]]:
    """Every key of the values with the place it stands at; what the chart passes on as it is has none."""
    for each in value if isinstance(value, list) else [value]:
        for key, below in each.items() if isinstance(each, dict) else ():
            yield at, key
            if key not in PASSED_ON:
                yield from _places(below, f"{at}.{key}".lstrip("."))


@pytest.mark.parametrize("part", [*PARTS.values(), *CONTAINERS.values()], ids=[*PARTS, *CONTAINERS])
def test_a_part_runs_a_command_of_ours_with_its_options(part: dict[str, Any]) -> None:
    command: Any = typer.main.get_command(app)
    ours, *words = part["command"]
    assert ours == "document-locator"
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]
    assert not hasattr(command, "commands"), "a group is no command"
    options = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= options


@pytest.mark.parametrize("name", PARTS)
def test_a_part_is_given_settings_that_exist(name: str) -> None:
    assert set(PARTS[name]["environment"]) <= {field.upper() for field in Settings.model_fields}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_of_compose_is_given_every_setting_that_a_deployment_needs(name: str) -> None:
    assert set(NEEDED) <= set(PARTS[name]["environment"])


@pytest.mark.parametrize("language", ["", ".ja"])
def test_the_guide_names_every_setting_for_the_secret_of_a_cluster(language: str) -> None:
    guide = (ROOT / "docs" / f"deploy{language}.md").read_text("utf-8")
    _, cluster = guide.split("kubectl create secret generic document-locator")
    step, _ = cluster.split("3. `kubectl apply")
    assert [name for name in NEEDED if f"`{name}`" not in step] == []
    assert "`document-locator-groups`" in step


def test_what_is_left_empty_in_compose_is_as_if_it_were_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {name: SUBSTITUTED.sub(_as_compose, value) for name, value in PARTS["page-1"]["environment"].items()}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    settings = Settings(_env_file=None)
    left_empty = [name.lower() for name, value in given.items() if value == ""]
    assert {"locator_permissions", "locator_groups", "locator_crawl_slots"} <= set(left_empty)
    assert [name for name in left_empty if getattr(settings, name) != Settings.model_fields[name].default] == []
    assert settings.locator_page_url == "https://name"


SUBSTITUTED = re.compile(r"\$\{(\w+)(:?[?+-])?([^}]*)\}")


def _as_compose(found: re.Match[str]) -> str:
    """As Compose writes a variable where only those are set that have to be."""
    _, how, rest = found.groups()
    return {":?": "name", ":-": rest, ":+": ""}[how]


def test_everything_that_is_copied_into_the_image_exists_and_the_package_is_whole() -> None:
    copied = {
        path.replace("${EXTRA}", extra)
        for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
        for path in line.split()
        for extra in ("login", "kubernetes")
    }
    assert [path for path in copied if not (ROOT / path).exists()] == []
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    included = re.findall(r'^"(\S+)" = "locator_search/_bundled/', project, re.MULTILINE)
    assert {*included, "locator_search", "locator_assets", "streamlit_app"} <= copied


def test_the_image_runs_as_nobody_in_particular_and_installs_only_what_the_hashes_admit() -> None:
    final = DOCKERFILE.split("\nFROM ")[-1]
    assert "\nUSER locator\n" in final
    assert re.findall(r"apt|pip|gcc|\nENTRYPOINT", final) == [], "a cluster names programs of Dagster, too"
    for installs in re.findall(r"^RUN .*pip install (.*)$", DOCKERFILE, re.MULTILINE):
        assert "--require-hashes" in installs or "--no-deps --no-build-isolation" in installs


def test_the_ports_are_those_of_the_commands_and_only_the_proxy_is_reached_from_outside() -> None:
    workspace = yaml.safe_load((ROOT / "deploy" / "workspace.yaml").read_text("utf-8"))
    [location] = workspace["load_from"]
    assert (location["grpc_server"]["host"], location["grpc_server"]["port"]) == (
        "code-server",
        local_servers.CODE_SERVER_PORT,
    )
    proxied = dict(re.findall(r" ([a-z0-9-]+):(\d+)", (ROOT / "deploy" / "Caddyfile").read_text("utf-8")))
    page, dagster = str(local_servers.PAGE_PORT), str(local_servers.DAGSTER_PORT)
    assert proxied == {"page-1": page, "page-2": page, "dagster": dagster}
    assert {*proxied, "code-server"} <= set(COMPOSE["services"])
    assert [name for name, part in COMPOSE["services"].items() if "ports" in part] == ["proxy"]


def test_every_run_of_a_cluster_is_a_job_from_our_image_with_the_settings_of_one_secret() -> None:
    [code_server] = VALUES["dagster-user-deployments"]["deployments"]
    launcher = VALUES["runLauncher"]
    assert (launcher["type"], list(launcher["config"])) == ("K8sRunLauncher", ["k8sRunLauncher"])
    assert code_server["includeConfigInLaunchedRuns"] == {"enabled": True}
    assert "image" not in launcher["config"]["k8sRunLauncher"], "a run has that of the code server"
    assert code_server["codeServerArgs"] == ["-m", "locator_assets.definitions"]
    assert code_server["port"] == local_servers.CODE_SERVER_PORT
    for part in (code_server, VALUES["dagsterDaemon"], VALUES["dagsterWebserver"]):
        assert (part["image"]["repository"], part["image"]["tag"]) == ("document-locator", VERSION)
        assert part["envSecrets"] == [{"name": "document-locator"}]
    for name, container in CONTAINERS.items():
        assert container["image"] == f"document-locator:{VERSION}", name
        assert container["envFrom"] == [{"secretRef": {"name": "document-locator"}}], name


def test_daemon_and_ui_of_a_cluster_know_the_assets_by_the_name_that_crawls_write_down() -> None:
    [code_server] = VALUES["dagster-user-deployments"]["deployments"]
    workspace = VALUES["dagsterWebserver"]["workspace"]
    [location] = yaml.safe_load((ROOT / "deploy" / "workspace.yaml").read_text("utf-8"))["load_from"]
    server = {"host": code_server["name"], "port": code_server["port"], "name": CODE_LOCATION}
    assert workspace == {"enabled": True, "servers": [server]}
    assert location["grpc_server"]["location_name"] == CODE_LOCATION


def test_the_chart_is_told_what_our_own_dagster_yaml_says() -> None:
    database = VALUES["postgresql"]
    assert database["enabled"] is False
    ours = dagster_url("postgresql://locator:secret@database/locator")
    assert ours.startswith(f"{database['postgresqlScheme']}://{database['postgresqlUsername']}:secret@")
    assert parse_qs(urlsplit(ours).query) == {name: [one] for name, one in database["postgresqlParams"].items()}
    assert urlsplit(ours).path == f"/{database['postgresqlDatabase']}"
    pools, runs = VALUES["concurrency"]["pools"], VALUES["concurrency"]["runs"]
    assert (pools["defaultLimit"], pools["granularity"]) == tuple(DAGSTER["concurrency"]["pools"].values())
    assert runs["maxConcurrentRuns"] >= DAGSTER["concurrency"]["runs"]["max_concurrent_runs"]
    monitoring, told = DAGSTER["run_monitoring"], VALUES["dagsterDaemon"]["runMonitoring"]
    same = {"pollIntervalSeconds": "poll_interval_seconds", "startTimeoutSeconds": "start_timeout_seconds"}
    assert {name: told[name] for name in same} == {name: monitoring[ours] for name, ours in same.items()}
    assert VALUES["dagsterDaemon"].get("enabled", True), "the chart keeps one, and it alone"


def test_the_chart_retries_and_forgets_as_our_own_dagster_yaml() -> None:
    told, retries = VALUES["dagsterDaemon"]["runMonitoring"], VALUES["dagsterDaemon"]["runRetries"]
    assert told["maxRuntimeSeconds"] == DAGSTER["run_monitoring"]["max_runtime_seconds"]
    assert tuple(retries) == ("enabled", "maxRetries", "retryOnAssetOrOpFailure")
    assert tuple(retries.values()) == tuple(DAGSTER["run_retries"].values())
    for kind, kept in DAGSTER["retention"].items():
        assert VALUES["retention"][kind]["purgeAfterDays"] == {**kept["purge_after_days"], "started": -1}
    assert VALUES["additionalInstanceConfig"] == {"nux": DAGSTER["nux"]}
    assert VALUES["telemetry"] == DAGSTER["telemetry"]


def test_every_value_is_one_that_the_chart_reads_at_that_place() -> None:
    assert [f"{at}.{key}" for at, key in _places(VALUES) if key not in CHART.get(at, "").split()] == []


def test_nothing_of_a_cluster_lies_on_a_disk() -> None:
    kinds = {kind for pod in PODS for volume in pod.get("volumes", ()) for kind in volume if kind != "name"}
    assert kinds == {"secret", "configMap"}
    assert "volumes" not in str(VALUES)


def test_pages_and_mcp_server_are_probed_where_they_answer() -> None:
    ports = {"page": local_servers.PAGE_PORT, "mcp": PORT}
    for name, port in ports.items():
        probes = {kind: probe for kind, probe in CONTAINERS[name].items() if kind.endswith("Probe")}
        assert {"livenessProbe", "readinessProbe"} <= set(probes)
        for kind, probe in probes.items():
            path = "/readyz" if kind == "readinessProbe" else "/healthz"
            if name == "mcp":  # it listens on loopback, where no kubelet reaches it
                assert f"127.0.0.1:{port}{path}'" in probe["exec"]["command"][-1]
            else:
                assert probe["httpGet"] == {"path": path, "port": port}
    assert f"reverse_proxy 127.0.0.1:{PORT}" in PROXIES["cluster"]


def test_pages_and_mcp_server_have_the_sign_in_and_the_groups_that_permissions_need() -> None:
    for name in ("page", "mcp"):
        [pod] = [pod for pod in PODS if any(each["name"] == name for each in pod["containers"])]
        [mount] = [each for each in CONTAINERS[name]["volumeMounts"] if each["name"] == "sign-in"]
        assert mount["mountPath"] == "/home/locator/.streamlit"
        assert {"name": "sign-in", "secret": {"secretName": "document-locator-sign-in"}} in pod["volumes"]
        groups = {"name": "document-locator-groups", "optional": True}
        assert {"name": "groups", "configMap": groups} in pod["volumes"]
        assert "groups" in [each["name"] for each in CONTAINERS[name]["volumeMounts"]]
        assert PARTS["mcp"]["secrets"] == PARTS["page-1"]["secrets"]
        assert PARTS["mcp"]["volumes"] == PARTS["page-1"]["volumes"]


@pytest.mark.parametrize("proxy", PROXIES)
@pytest.mark.parametrize(("value", "on"), [("1", True), ("True", True), ("yes", True), ("on", True), ("0", False)])
def test_with_permissions_the_proxy_lets_the_tokens_of_people_through(proxy: str, value: str, on: bool) -> None:
    [words] = re.findall(r'\{env\.LOCATOR_PERMISSIONS\}\.matches\("(.+?)"\)', PROXIES[proxy])
    assert Settings(locator_permissions=value).locator_permissions is on
    assert (re.search(words, value) is not None) is on
    assert re.search(words, "") is None


@pytest.mark.parametrize("proxy", PROXIES)
def test_without_permissions_the_proxy_demands_a_token_that_is_not_empty(proxy: str) -> None:
    text = " ".join(PROXIES[proxy].split())
    demanded = '|| ({env.MCP_TOKEN} != "" && {header.Authorization} == "Bearer " + {env.MCP_TOKEN})'
    assert demanded in text
    assert f"handle @admitted {{ reverse_proxy 127.0.0.1:{PORT} {{" in text
    assert "respond 401" in text


def test_the_proxies_are_told_of_permissions_and_token() -> None:
    asked = {"LOCATOR_PERMISSIONS", "MCP_TOKEN"}
    assert asked <= set(COMPOSE["services"]["proxy"]["environment"])
    [token] = [each for pod in PODS for each in pod["containers"] if each["name"] == "token"]
    assert {each["name"] for each in token["env"]} == asked
    assert all(each["valueFrom"]["secretKeyRef"]["optional"] for each in token["env"])


def test_the_mcp_server_of_compose_is_reached_through_the_loopback_of_the_proxy() -> None:
    assert PARTS["mcp"]["network_mode"] == "service:proxy"
    assert PARTS["mcp"]["environment"]["LOCATOR_MCP_URL"] == "https://${PAGE_NAME:?}/mcp"
    assert "@mcp path /mcp /.well-known/oauth-protected-resource/*" in PROXIES["compose"]


def test_nobody_reaches_what_runs_code_without_asking_who_it_is() -> None:
    policies = {one["metadata"]["name"]: one["spec"] for one in PAGES if one["kind"] == "NetworkPolicy"}
    assert policies["dagster-webserver"].get("ingress", []) == []
    [rule] = policies["dagster-code-server"]["ingress"]
    assert rule["ports"] == [{"port": local_servers.CODE_SERVER_PORT}]
    assert "ingress" not in VALUES, "the chart's own leads to its webserver"
