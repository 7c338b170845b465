"""Settings, read once from the environment and `.env`. A blank value counts as not set.

`.env.example` and both READMEs document every name; a test compares them with this class.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from locator_search.config.folder_names import checked_folder_names, refuse_overlaps
from locator_search.config.people import checked_administrators, checked_command_readers
from locator_search.core.errors import ConfigurationError
from locator_search.core.masking import mask
from locator_search.locales import Language, languages
from locator_search.text.variants.rules import checked_rules

Secret = Annotated[str | None, Field(repr=False)]
NameList = Annotated[tuple[str, ...], NoDecode]

GOOGLE_KEYS = (
    "GOOGLE_CLIENT_ID",
    "GOOGLE_CLIENT_SECRET",
    "GOOGLE_REFRESH_TOKEN",
    "GOOGLE_DRIVE_TARGET_FOLDER_IDS",
)
NO_FOLDERS = ("none",)
"""As GOOGLE_DRIVE_TARGET_FOLDER_IDS: Google's credentials are for live search alone, the index is of local folders."""
SUPABASE_KEYS = ("SUPABASE_URL", "SUPABASE_DB_PASSWORD")
DIFY_KEYS = ("DIFY_API_URL", "DIFY_API_KEY", "DIFY_DATASET_ID")
ELASTIC_KEYS = ("ELASTIC_URL", "ELASTIC_INDEX")


class Settings(BaseSettings):
    """Every setting of the product; the field names are the environment names in lower case."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore")

    # Where things live
    locator_home: Path = Path(".locator")
    locator_folders: NameList = ("samples",)
    locator_folder_names: NameList = ()
    locator_add_folders: bool | None = None
    database_url: Secret = None
    locator_search_database_url: Secret = None
    supabase_url: str | None = None
    supabase_service_role_key: Secret = None
    supabase_db_password: Secret = None

    # Crawl
    crawler_mode: Literal["auto", "full", "diff"] = "auto"
    locator_crawl_slots: Annotated[int, Field(ge=1, le=100)] = 1
    locator_request_slots: Annotated[int, Field(ge=1, le=1000)] = 5
    summary_max_length: Annotated[int, Field(ge=20, le=4000)] = 400
    google_client_id: str | None = None
    google_client_secret: Secret = None
    google_refresh_token: Secret = None
    google_drive_target_folder_ids: NameList = ()
    google_service_account_file: Path | None = None
    google_directory_admin: str | None = None
    google_api_endpoint: str | None = None
    google_token_uri: str | None = None
    google_drive_page_size: Annotated[int, Field(ge=1, le=1000)] = 100
    google_drive_follow_shortcuts: bool = False
    locator_reconcile_hours: Annotated[int, Field(ge=1, le=720)] = 24
    locator_forget_days: Annotated[int, Field(ge=0, le=3650)] = 30
    locator_history_days: Annotated[int, Field(ge=0, le=3650)] = 30

    # Search
    locator_words_first_seconds: Annotated[float, Field(ge=0, le=60, allow_inf_nan=False)] = 0.3
    locator_search_seconds: Annotated[float, Field(ge=1, le=3600, allow_inf_nan=False)] = 20
    locator_fusion: Literal["scores", "ranks"] = "scores"
    search_max_loop_count: Annotated[int, Field(ge=1, le=20)] = 3
    locator_language: Language = "ja"
    locator_time_zone: str = "Asia/Tokyo"
    locator_fiscal_year_start: Annotated[int, Field(ge=1, le=12)] = 4
    locator_matching_off: NameList = ()
    locator_synonyms: Path | None = None
    locator_share_questions: bool = True

    # Models
    openai_api_key: Secret = None
    openai_org: str | None = None
    openai_base_url: str | None = None
    openai_chat_model: str = "gpt-6-luna"
    openai_embedding_model: str = "text-embedding-3-small"
    embedding_provider: Literal["openai", "ollama", "local", "huggingface", "offline"] | None = None
    locator_max_cost_usd: Annotated[float | None, Field(gt=0, allow_inf_nan=False)] = None

    # FinderLedge
    finderledge_persist_directory: Path | None = None
    finderledge_collection: str = "default"
    finderledge_vector_store_provider: Literal["pgvector", "chroma", "faiss"] = "pgvector"
    finderledge_chunk_size: int = 1000
    finderledge_chunk_overlap: int = 100

    # Contributions: where meetings keep them, how they are cut, and where the evidence for their analyses comes from
    contributions_archive_url: str | None = None
    contributions_chunking: Literal["heading", "overlap", "hierarchy"] = "heading"
    contributions_evidence: Literal["pgvector", "dify", "elastic"] = "pgvector"
    dify_api_url: str | None = None
    dify_api_key: Secret = None
    dify_dataset_id: str | None = None
    elastic_url: str | None = None
    elastic_api_key: Secret = None
    elastic_index: str | None = None

    # Live search
    locator_live_seconds: Annotated[float, Field(ge=1, le=3600, allow_inf_nan=False)] = 60
    locator_servers: Path | None = None
    slack_user_token: Secret = None
    github_personal_access_token: Secret = None
    github_api_url: str | None = None

    # X search
    x_bearer_token: Secret = None
    x_api_base_url: str | None = None
    x_session_budget_usd: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 0.5
    x_monthly_cap_usd: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 20.0
    x_post_price_usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.005
    x_user_price_usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    x_joined_post_price_usd: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    x_session_hours: Annotated[int, Field(ge=1, le=720)] = 24
    x_reranker: Literal["cohere", "jina", "tei", "model", "lexical"] | None = None
    x_reranker_url: str | None = None
    x_reranker_api_key: Secret = None
    x_reranker_model: str | None = None

    # Running
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    tz: str = "UTC"
    log_format: Literal["text", "json"] = "text"
    locator_metrics_token: Secret = None
    locator_link_secret: Secret = None
    locator_dagster_url: str = "http://127.0.0.1:3000"
    locator_page_url: str = "http://127.0.0.1:8501"
    locator_mcp_url: str | None = None
    locator_allowed_hosts: NameList = ()
    locator_allowed_users: NameList = ()
    locator_permissions: bool = False
    locator_groups: Path | None = None
    locator_administrators: NameList = ()
    locator_command_readers: NameList = ()
    locator_audit: bool | None = None
    locator_audit_days: Annotated[int, Field(ge=1, le=3650)] = 365
    allow_real: bool | None = None
    locator_devset: Path | None = None

    @model_validator(mode="before")
    @classmethod
    def _strip(cls, values: dict[str, object]) -> dict[str, object]:
        """Strip blanks around values; a value of blanks alone counts as not set."""
        stripped = {name: value.strip() if isinstance(value, str) else value for name, value in values.items()}
        return {name: value for name, value in stripped.items() if value != ""}

    @field_validator(
        "locator_folders",
        "locator_folder_names",
        "google_drive_target_folder_ids",
        "locator_matching_off",
        "locator_allowed_hosts",
        "locator_allowed_users",
        "locator_administrators",
        "locator_command_readers",
        mode="before",
    )
    @classmethod
    def _split_commas(cls, value: object) -> object:
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return value

    @field_validator(
        "log_level",
        "log_format",
        "crawler_mode",
        "embedding_provider",
        "locator_fusion",
        "finderledge_vector_store_provider",
        "contributions_chunking",
        "contributions_evidence",
        "x_reranker",
        mode="before",
    )
    @classmethod
    def _fold_case(cls, value: object, info: object) -> object:
        if not isinstance(value, str):
            return value
        return value.upper() if getattr(info, "field_name", "") == "log_level" else value.lower()

    @field_validator(
        "openai_base_url",
        "google_api_endpoint",
        "google_token_uri",
        "github_api_url",
        "dify_api_url",
        "elastic_url",
        "x_api_base_url",
        "x_reranker_url",
        "locator_dagster_url",
        "locator_page_url",
        "locator_mcp_url",
    )
    @classmethod
    def _web_address(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("must begin with http:// or https://")
        return value

    @field_validator("locator_language")
    @classmethod
    def _spoken(cls, value: Language) -> Language:
        if value not in languages():
            raise ValueError(f"must be one of {', '.join(languages())}")
        return value

    @field_validator("locator_matching_off")
    @classmethod
    def _known_rules(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        try:
            return checked_rules(value)
        except ConfigurationError as error:
            raise ValueError(f"{error.message} {error.hint}") from None

    @field_validator("locator_folder_names")
    @classmethod
    def _usable_folder_names(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return checked_folder_names(value)

    @field_validator("locator_administrators")
    @classmethod
    def _named_administrators(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return checked_administrators(value)

    @field_validator("locator_command_readers")
    @classmethod
    def _named_command_readers(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return checked_command_readers(value)

    @field_validator("locator_time_zone")
    @classmethod
    def _known_time_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (KeyError, OSError, ValueError):
            raise ValueError(f"no such time zone: {value}") from None
        return value

    @model_validator(mode="after")
    def _have_secrets_masked(self) -> Self:
        """Register the secrets before anything else: messages about wrong settings must not show one."""
        mask.remember(self.secrets)
        return self

    @model_validator(mode="after")
    def _refuse_names_of_other_folders(self) -> Self:
        names, folders = self.locator_folder_names, self.locator_folders
        if names and "locator_folders" not in self.model_fields_set:
            raise ValueError("LOCATOR_FOLDER_NAMES names the folders of LOCATOR_FOLDERS, which is not set")
        if names and len(names) != len(folders):
            raise ValueError(
                f"LOCATOR_FOLDER_NAMES holds {len(names)} names and LOCATOR_FOLDERS {len(folders)} folders,"
                " and each folder needs one"
            )
        refuse_overlaps(names, folders[: len(names)])
        return self

    @model_validator(mode="after")
    def _refuse_half_set_credentials(self) -> Self:
        groups = (GOOGLE_KEYS, SUPABASE_KEYS, DIFY_KEYS, ELASTIC_KEYS)
        missing = [name for group in groups for name in self._missing(group)]
        if missing:
            raise ValueError(f"partly set credentials, missing: {', '.join(missing)}")
        return self

    @model_validator(mode="after")
    def _refuse_addresses_without_their_keys(self) -> Self:
        if self.x_api_base_url and not self.x_bearer_token:
            raise ValueError("partly set credentials, missing: X_BEARER_TOKEN")
        if self.x_reranker in ("cohere", "jina") and not (self.x_reranker_api_key or self.x_reranker_url):
            raise ValueError("partly set credentials, missing: X_RERANKER_API_KEY")
        if self.x_reranker == "tei" and not self.x_reranker_url:
            raise ValueError("partly set credentials, missing: X_RERANKER_URL")
        return self

    @model_validator(mode="after")
    def _refuse_permissions_in_part(self) -> Self:
        names = ("locator_groups", "locator_administrators", "locator_command_readers", "google_directory_admin")
        alone = [name.upper() for name in names if getattr(self, name)]
        if alone and not self.locator_permissions:
            raise ValueError(f"{', '.join(alone)} says who may read, and LOCATOR_PERMISSIONS is not on")
        if self.locator_audit and not self.locator_permissions:
            raise ValueError("LOCATOR_AUDIT keeps who read what, and without LOCATOR_PERMISSIONS nobody is named")
        if self.google_directory_admin and not self.google_service_account_file:
            raise ValueError("GOOGLE_DIRECTORY_ADMIN is asked as by a service account: set GOOGLE_SERVICE_ACCOUNT_FILE")
        return self

    def _missing(self, group: tuple[str, ...]) -> list[str]:
        if group == GOOGLE_KEYS and self.google_drive_target_folder_ids == NO_FOLDERS:
            return []
        unset = [name for name in group if not getattr(self, name.lower())]
        wanted = {
            GOOGLE_KEYS: self.google_service_account_file is not None,
            DIFY_KEYS: self.contributions_evidence == "dify",
            ELASTIC_KEYS: self.contributions_evidence == "elastic",
        }
        if len(unset) == len(group) and not wanted.get(group):
            return []
        return [name for name in unset if not self._stands_elsewhere(name)]

    def _stands_elsewhere(self, name: str) -> bool:
        """A service account needs no client, and `auth google` keeps the refresh token in a file."""
        if self.google_service_account_file and name != "GOOGLE_DRIVE_TARGET_FOLDER_IDS":
            return name in GOOGLE_KEYS
        return name == "GOOGLE_REFRESH_TOKEN" and self.google_token_file.exists()

    @property
    def naming_people(self) -> tuple[str, ...]:
        """The settings that say who may come in or read: with one of them people must sign in to what is served."""
        names = ("locator_allowed_users", "locator_permissions", "locator_administrators")
        return tuple(name.upper() for name in names if getattr(self, name))

    @property
    def audits(self) -> bool:
        """Whether questions and openings are kept with who they are of."""
        return self.locator_permissions and self.locator_audit is not False

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values of all settings that are marked as secret."""
        named = (getattr(self, name) for name, field in type(self).model_fields.items() if not field.repr)
        return tuple(value for value in named if isinstance(value, str))

    @property
    def synonyms_file(self) -> Path:
        """The owner's dictionary, which need not exist."""
        return self.locator_synonyms.expanduser() if self.locator_synonyms else self.home / "synonyms.txt"

    @property
    def google_token_file(self) -> Path:
        """Where `document-locator auth google` keeps the refresh token."""
        return self.home / "google_token.json"

    @property
    def uses_google_drive(self) -> bool:
        """Whether the index is of Google Drive: its credentials are set, and they are not for live search alone."""
        if self.google_drive_target_folder_ids == NO_FOLDERS:
            return False
        return self.google_client_id is not None or self.google_service_account_file is not None

    @property
    def uses_x(self) -> bool:
        """Whether X itself is asked. ALLOW_REAL=0 keeps to the recorded sample, unless another address is named."""
        return self.x_bearer_token is not None and (self.allow_real is not False or self.x_api_base_url is not None)

    @property
    def uses_openai(self) -> bool:
        """Whether OpenAI, or another server that speaks its API, is to answer."""
        return self.openai_api_key is not None or self.openai_base_url is not None

    @property
    def home(self) -> Path:
        """`locator_home` as an absolute path."""
        return self.locator_home.expanduser().absolute()


def load_settings(kind: type[Settings] = Settings, /, **overrides: object) -> Settings:
    """The settings of this process, of some kind that asks for more or less.

    Raises ConfigurationError with one sentence that names everything wrong.
    """
    try:
        return kind(**overrides)  # type: ignore[arg-type]  # the class validates what it is given
    except ValidationError as error:
        raise ConfigurationError(_in_one_sentence(error), hint="See .env.example for every setting.") from None


def language_set() -> Language:
    """The language that is set, also where other settings are wrong."""

    class Alone(BaseSettings):
        model_config = Settings.model_config
        locator_language: Language = "ja"

    return Alone().locator_language


def load_settings_to_sign_in() -> Settings:
    """The settings as they are before `auth google`: the refresh token, and the folders to crawl, may come later.

    Raises ConfigurationError when the OAuth client is not set.
    """
    return load_settings(google_refresh_token="later", google_drive_target_folder_ids="to come")  # noqa: S106


def load_settings_to_ask_live(**overrides: object) -> Settings:
    """The settings of a live search: where Google's keys are partly set, a mock answers for Drive and says so.

    Raises ConfigurationError for everything else that is wrong.
    """

    class Lenient(Settings):
        def _missing(self, group: tuple[str, ...]) -> list[str]:
            return [] if group == GOOGLE_KEYS else super()._missing(group)

    return load_settings(Lenient, **overrides)


def _in_one_sentence(error: ValidationError) -> str:
    problems = []
    for problem in error.errors(include_input=False, include_url=False):
        name = ".".join(str(part) for part in problem["loc"]).upper()
        message = problem["msg"].removeprefix("Value error, ")
        problems.append(f"{name}: {message}" if name else message)
    return f"Settings are wrong: {'; '.join(problems)}."
