"""What is said to whoever stands at the door, in Japanese and English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentences:
    """The words of one language."""

    foreign_host: str
    foreign_origin: str
    sign_in: str
    sign_in_needed: str
    signed_in_as: str
    not_signed_in: str
    provider_unreachable: str
    sign_in_failed: str
    not_admitted: str
    sign_out: str
    back: str


def sentences(language: str) -> Sentences:
    """The words of a language, Japanese where it is not known."""
    return _ENGLISH if language == "en" else _JAPANESE


_JAPANESE = Sentences(
    foreign_host="このアドレスの名前では応答しません。管理者は LOCATOR_ALLOWED_HOSTS にこの名前を加えてください。",
    foreign_origin="ほかのサイトからの要求には応じません。このページをブラウザーで直接開いてください。",
    sign_in="サインイン",
    sign_in_needed="続けるにはサインインしてください。",
    signed_in_as="{name} としてサインインしています",
    not_signed_in="サインインしていないため、応じられません。",
    provider_unreachable="サインインの提供元に接続できませんでした。しばらくしてからもう一度お試しください。",
    sign_in_failed="サインインできませんでした。もう一度お試しください。",
    not_admitted="{name} はこのサイトの利用を許可されていません。管理者にお問い合わせください。",
    sign_out="サインアウト",
    back="戻る",
)

_ENGLISH = Sentences(
    foreign_host="We do not answer under this name. An administrator can add it to LOCATOR_ALLOWED_HOSTS.",
    foreign_origin="Requests of other sites are refused. Open this page in your browser directly.",
    sign_in="Sign in",
    sign_in_needed="Please sign in to continue.",
    signed_in_as="Signed in as {name}",
    not_signed_in="Refused, because nobody is signed in.",
    provider_unreachable="The sign-in provider could not be reached. Please try again in a while.",
    sign_in_failed="Signing in did not work. Please try again.",
    not_admitted="{name} is not allowed to use this site. Please ask its administrator.",
    sign_out="Sign out",
    back="Back",
)
