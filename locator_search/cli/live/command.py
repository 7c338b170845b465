"""`document-locator live`: one question over Google Drive, Slack and GitHub as they are now."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from locator_search.cli.live import services
from locator_search.cli.shared.output import JsonFlag, emit_json, error_console

if TYPE_CHECKING:
    from locator_search.app.locator import Locator
    from locator_search.cli.live.log import DebugLog
    from locator_search.cli.live.texts import LiveTexts
    from locator_search.config.settings import Settings


class QuestionOrService(TyperGroup):
    """`live QUESTION` beside `live add` and its like: what begins with no name of theirs is a question."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse arguments, with the name of the command that asks in front where none stands there."""
        return super().parse_args(ctx, args if args and args[0] in self.commands else ["ask", *args])


app = typer.Typer(cls=QuestionOrService, help="Live search. / ライブ検索")
app.command("add")(services.add)
app.command("list")(services.list_services)
app.command("remove")(services.remove)


@app.command("ask", hidden=True)
@services.reports
def ask(
    question: Annotated[
        str | None, typer.Argument(help="What you want to know; without it, questions are asked one after the other.")
    ] = None,
    servers: Annotated[Path | None, typer.Option(help="Another servers.yaml. Default: LOCATOR_SERVERS.")] = None,
    mock: Annotated[
        bool, typer.Option("--mock", help="Nothing real: made-up services, and the offline stand-in as the model.")
    ] = False,
    with_index: Annotated[
        bool, typer.Option("--with-index", help="Fold in what the index knows of the question.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Keep a masked record without bodies in LOCATOR_HOME/logs/live.jsonl.")
    ] = False,
    follow: Annotated[
        str | None, typer.Option(help="A second question, answered from the evidence of the first one alone.")
    ] = None,
    json_output: JsonFlag = False,
) -> None:
    """Ask Google Drive, Slack and GitHub at once, without an index. / 今の Drive・Slack・GitHub に横断で質問します。

    `live add`, `live list` and `live remove` are for services of your own.

    Example: document-locator live "Project Alpha の設計ドキュメントはどこ？" --mock
    """
    from locator_search.app.locator import open_locator
    from locator_search.cli.live.texts import LiveTexts

    overrides: dict[str, object] = {"allow_real": False} if mock else {}
    settings = services.live_settings(**overrides, **({"locator_servers": servers} if servers else {}))
    say = LiveTexts.of(settings.locator_language)
    if (json_output or follow) and question is None:
        raise typer.BadParameter(say.needs_a_question)
    if not json_output:
        _offer_to_sign_in(settings, say)
    with open_locator(settings) as locator:
        locator.live.gateway.prepare()  # servers start while the rest of the program is read, or a question typed
        from locator_search.cli.live.session import LiveSession
        from locator_search.live_search.as_json import live_as_json

        _show_notice_once(locator, say)
        search = locator.live.search(with_index=with_index, surface="command")
        session = LiveSession(search, settings, _debug_log(locator, say) if debug else None)
        if question is None:
            session.repeat()
            return
        outcome = session.ask(question, quiet=json_output)
        followed = session.follow(follow, quiet=json_output) if follow else None
        if json_output:
            emit_json(live_as_json(outcome) | ({"follow": live_as_json(followed)} if followed else {}))
        else:
            session.show(outcome)
            if followed:
                session.show_following(followed)
    if outcome.all_failed:
        raise typer.Exit(1)


def _offer_to_sign_in(settings: Settings, say: LiveTexts) -> None:
    """Before the first question to a real Drive; whoever declines goes without it, and is told."""
    from locator_search.app.locator import sign_in_to_google
    from locator_search.core.errors import LocatorError
    from locator_search.locales.said import told

    signed_in = settings.google_refresh_token or settings.google_token_file.exists()
    client = settings.google_client_id and settings.google_client_secret
    if settings.allow_real is False or signed_in or not client or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    try:
        if input(say.sign_in).strip().lower() in ("n", "no"):
            return
        path = sign_in_to_google(settings)
    except (EOFError, KeyboardInterrupt):
        return
    except LocatorError as error:
        error_console.print(say.signed_in_not.format(message=told(error.message, say.language)), style="yellow")
    else:
        error_console.print(say.signed_in.format(path=path))


def _show_notice_once(locator: Locator, say: LiveTexts) -> None:
    """Say which model receives the texts that are found: before the first use, and again with another model."""
    model = locator.live.chat_model.model_name
    file = locator.settings.home / "live_notice"
    try:
        seen = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        seen = []
    if model in seen:
        return
    text = say.notice_offline if model.startswith("offline-") else say.notice
    error_console.print(text.format(model=model), style="yellow")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join([*seen, model]) + "\n", "utf-8")
    except OSError:
        return  # the notice is then shown again, which does no harm


def _debug_log(locator: Locator, say: LiveTexts) -> DebugLog:
    from locator_search.cli.live.log import DebugLog
    from locator_search.core.errors import LocatorError

    path = locator.settings.home / "logs" / "live.jsonl"
    try:
        log = DebugLog(path, locator.clock, locator.settings.secrets)
    except OSError as error:
        raise LocatorError(f"{path} cannot be written: {error.strerror}.") from None
    error_console.print(say.debug_log.format(path=path), style="dim")
    return log
