"""What `doctor` and the status page say of each part, in Japanese and English."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class PartsTexts:
    """Sentences about parts; braces are filled in where they are used."""

    database_embedded: str
    database_external: str
    use_own_database: str
    no_such_folder: str
    name_existing_folders: str
    no_index: str
    run_crawler: str
    index: str
    offline_chat_model: str
    offline_embedding_model: str
    use_real_models: str
    wrong_length: str
    embedding_model: str
    shuts_down: str
    was_shut_down: str
    choose_another: str
    langsmith: str
    switch_langsmith_off: str
    sample_meetings: str
    name_an_archive: str
    meetings: str
    sample_posts: str
    name_x_key: str
    x: str
    with_converter: str
    without_converter: str
    live_service: str
    live_set_up: str
    ask_live: str
    live_made_up: str
    live_made_up_asked_for: str
    set_names: str
    or_sign_in: str
    live_answered: str


_JAPANESE = PartsTexts(
    database_embedded="PostgreSQL {version} と pgvector（内蔵サーバー）",
    database_external="PostgreSQL {version} と pgvector（外部サーバー）",
    use_own_database="自分の PostgreSQL を使うには DATABASE_URL を設定します。",
    no_such_folder="フォルダーがありません: {folders}",
    name_existing_folders="LOCATOR_FOLDERS に実在するフォルダーを指定してください。",
    no_index="索引済みのファイルがまだありません",
    run_crawler="`document-locator crawler` を実行してください。",
    index="ファイル {files} 件、チャンク {chunks} 件、{model} で作成",
    offline_chat_model="{model}: オフラインの代役です。抜き出しと数え上げだけで、意味は理解しません",
    offline_embedding_model="{model}（{dimensions} 次元）: オフラインの代役です。意味ではなく語を比べます",
    use_real_models="OPENAI_API_KEY（別のサーバーなら OPENAI_BASE_URL）を設定すると実際のモデルを使います。",
    wrong_length="{model} の返すベクトルの長さが {length} です",
    embedding_model="{model}（{dimensions} 次元）",
    shuts_down="モデル {model} は {date} に提供が終わります（あと {days} 日）。",
    was_shut_down="モデル {model} は {date} に提供が終わり、もう応答しません。",
    choose_another="{name} で別のモデルを選んでください。",
    langsmith="LANGSMITH_TRACING が有効です。LangChain を通した質問と文書は LangSmith に送られます",
    switch_langsmith_off="外に出さないためには LANGSMITH_TRACING を消してください。",
    sample_meetings="付属の見本会合（架空）",
    name_an_archive="実際の会合を使うには CONTRIBUTIONS_ARCHIVE_URL を設定します。",
    meetings="{archive}: 会合 {count} 件",
    sample_posts="付属の見本の投稿（架空）",
    name_x_key="実際の X を検索するには X_BEARER_TOKEN を設定します。",
    x="X API（呼び出しごとに費用がかかるため接続は試しません）。今月 {spent} ドル／上限 {cap} ドル",
    with_converter="LibreOffice あり",
    without_converter="LibreOffice なし（.doc は本文だけを読みます）",
    live_service="ライブ検索: {label}",
    live_set_up="{program}（設定済み、まだ問い合わせていません）",
    ask_live="`document-locator doctor --live` で実際に問い合わせて確かめられます。",
    live_made_up="架空のデータ（モック）",
    live_made_up_asked_for="架空のデータ（モック）。ALLOW_REAL=0 の指定によります",
    set_names="本物につなぐには {names} を設定します。",
    or_sign_in="サインインは `document-locator auth google` でもできます。",
    live_answered="{program}（{seconds:.1f} 秒で応答）",
)

_ENGLISH = PartsTexts(
    database_embedded="PostgreSQL {version} with pgvector, embedded server",
    database_external="PostgreSQL {version} with pgvector, external server",
    use_own_database="Set DATABASE_URL to use a PostgreSQL of your own.",
    no_such_folder="No such folder: {folders}",
    name_existing_folders="Name existing folders in LOCATOR_FOLDERS.",
    no_index="No file is indexed yet",
    run_crawler="Run `document-locator crawler`.",
    index="{files} files, {chunks} chunks, made by {model}",
    offline_chat_model="{model}: an offline stand-in, it extracts and counts, it does not understand",
    offline_embedding_model="{model} ({dimensions} dimensions): an offline stand-in, compares words, not meaning",
    use_real_models="Set OPENAI_API_KEY, or OPENAI_BASE_URL for another server.",
    wrong_length="{model} returns vectors of length {length}",
    embedding_model="{model} ({dimensions} dimensions)",
    shuts_down="The model {model} shuts down on {date} (days left: {days}).",
    was_shut_down="The model {model} was shut down on {date}: it no longer answers.",
    choose_another="Choose another one in {name}.",
    langsmith="LANGSMITH_TRACING is on: questions and documents that pass through LangChain are sent to LangSmith",
    switch_langsmith_off="Unset LANGSMITH_TRACING to keep them on this machine.",
    sample_meetings="the sample meetings that come with the program (made up)",
    name_an_archive="Set CONTRIBUTIONS_ARCHIVE_URL to use real meetings.",
    meetings="{archive}: {count} meetings",
    sample_posts="the recorded sample of X posts that comes with the program (made up)",
    name_x_key="Set X_BEARER_TOKEN to search X itself.",
    x="X API, not tried because every request costs; ${spent} of ${cap} spent this month",
    with_converter="with LibreOffice",
    without_converter="without LibreOffice (of .doc files only the text is read)",
    live_service="Live search: {label}",
    live_set_up="{program} (set up, not asked yet)",
    ask_live="`document-locator doctor --live` asks it and sees.",
    live_made_up="made-up data (mock)",
    live_made_up_asked_for="made-up data (mock), as ALLOW_REAL=0 asks for",
    set_names="Set {names} to connect to the real one.",
    or_sign_in="`document-locator auth google` signs in, too.",
    live_answered="{program} (answered in {seconds:.1f} s)",
)


def parts_texts(language: Literal["ja", "en"]) -> PartsTexts:
    """The texts in one language."""
    return _JAPANESE if language == "ja" else _ENGLISH
