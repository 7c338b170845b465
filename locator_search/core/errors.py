"""The error tree. Adapters translate vendor errors into it at their edge; surfaces print `message` and `hint`.

LocatorError
├── ConfigurationError          wrong or missing setting, wrong usage (exit status 2)
│   ├── KeyRefused              a model service does not take the key
│   └── UnknownModel            it has no such model, or nothing is at the address
├── SourceError                 the place where files live
│   ├── FileGone                the file no longer exists there
│   ├── AccessDenied            it exists and we may not read it
│   ├── RateLimited             try again later (retryable)
│   ├── SourceUnavailable       it did not answer (retryable)
│   ├── QuotaUsedUp             nothing more today
│   ├── CursorExpired           the place in its list of changes is no longer known
│   ├── QueryRefused            it does not understand this one query
│   └── AnswerUnreadable        it answered with something that is damaged or too long
├── ExtractionError             no text can be had from a file
│   ├── UnsupportedFileType
│   ├── UnreadableFile
│   └── ReadingInterrupted      the process that reads it did not start, or was ended from outside (retryable)
│       └── ReadingStopped      we ended it ourselves, because the program ends
├── ModelError                  a language or embedding model
│   ├── ModelUnavailable        (retryable)
│   │   └── ModelTimedOut       no answer in time
│   ├── BadModelOutput
│   └── BudgetExhausted         nothing more may be paid, or can be
├── StoreError                  PostgreSQL
│   ├── StoreUnavailable        (retryable)
│   ├── SchemaOutOfDate
│   ├── DimensionMismatch
│   └── LeaseLost               another worker has taken over
├── ServiceError                a live service behind an MCP server
│   ├── ServiceUnavailable      it does not start, died, or is switched off (retryable)
│   ├── ServiceTimedOut         no answer in time (retryable)
│   ├── ServiceRateLimited      it asks us to slow down; never asked again for the same question
│   ├── ServiceRefused          it answered with an error
│   ├── BadServiceAnswer        what it answered cannot be read
│   └── ServiceMisconfigured    servers.yaml and what the server offers do not fit
├── DeadlinePassed              the time of a question is used up
└── FlowLogRefused              a search in progress cannot be taken up again
"""

from typing import Literal, TypeAlias

from locator_search.core.masking import mask
from locator_search.core.service_faults import ServiceFault, ServiceFaultKind

ServiceFailureReason: TypeAlias = Literal[
    "unavailable", "timed_out", "rate_limited", "refused", "bad_answer", "misconfigured"
]


class LocatorError(Exception):
    """One clear sentence for a person, and a hint that says what to do about it.

    `retryable` and `exit_code` belong to the class, so every surface treats one kind of failure alike.
    """

    retryable: bool = False
    exit_code: int = 1
    retry_after: float | None = None
    """Seconds the other side asked us to wait, where it said so (Retry-After)."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = mask(message)  # it may quote others, and every surface shows it
        self.hint = mask(hint)
        super().__init__(self.message)
        if hint:
            self.add_note(self.hint)  # a traceback shows it to whoever uses the library


class ConfigurationError(LocatorError):
    """A setting or an argument is wrong or missing."""

    exit_code = 2


class KeyRefused(ConfigurationError):  # noqa: N818 - what is wrong with the setting
    """The model service does not take the key."""


class UnknownModel(ConfigurationError):  # noqa: N818
    """The model service has no such model, or nothing is at the address."""


class SourceError(LocatorError):
    """The place where files live did not answer as it should."""


class FileGone(SourceError):  # noqa: N818 - a state of the file, named as the glossary names it
    """The file no longer exists at its source."""


class AccessDenied(SourceError):  # noqa: N818
    """The file exists and may not be read."""


class RateLimited(SourceError):  # noqa: N818
    """The source asks us to slow down."""

    retryable = True


class SourceUnavailable(SourceError):  # noqa: N818
    """The source did not answer, or not with an answer."""

    retryable = True


class QuotaUsedUp(SourceError):  # noqa: N818
    """The source serves us nothing more today."""


class CursorExpired(SourceError):  # noqa: N818
    """The source no longer knows where its list of changes was read up to; everything has to be listed anew."""


class QueryRefused(SourceError):  # noqa: N818
    """The source does not understand this one query; others may well work."""


class AnswerUnreadable(SourceError):  # noqa: N818
    """The source answered, but with something that is damaged, too long or of another kind."""


class ExtractionError(LocatorError):
    """No text can be had from a file."""


class UnsupportedFileType(ExtractionError):  # noqa: N818
    """No extractor reads this type."""


class UnreadableFile(ExtractionError):  # noqa: N818
    """Damaged, encrypted, or beyond the limits."""


class ReadingInterrupted(ExtractionError):  # noqa: N818
    """The process that reads files did not start, or was ended from outside. It says nothing about the file."""

    retryable = True


class ReadingStopped(ReadingInterrupted):
    """The program ends, and with it the processes that read files. Whatever was under way stays as it was."""


class ModelError(LocatorError):
    """A language or embedding model failed."""


class ModelUnavailable(ModelError):  # noqa: N818
    """The model did not answer."""

    retryable = True


class ModelTimedOut(ModelUnavailable):
    """The model did not answer in time."""


class BadModelOutput(ModelError):  # noqa: N818
    """The model answered something that does not fit its schema."""


class BudgetExhausted(ModelError):  # noqa: N818
    """The ceiling on what models may cost is reached, or their account is empty. Concerns every further call."""


class StoreError(LocatorError):
    """PostgreSQL refused or failed."""


class StoreUnavailable(StoreError):  # noqa: N818
    """No connection to PostgreSQL."""

    retryable = True


class SchemaOutOfDate(StoreError):  # noqa: N818
    """The tables are older (or newer) than this program."""

    exit_code = 2


class DimensionMismatch(StoreError):  # noqa: N818
    """The index was made with another embedding model or dimension."""

    exit_code = 2


class LeaseLost(StoreError):  # noqa: N818
    """Another worker has taken over what this one was doing."""


class ServiceError(LocatorError):
    """A live service failed; the others go on. What went wrong is a kind with values, for surfaces to word."""

    reason: ServiceFailureReason = "refused"

    def __init__(self, kind: ServiceFaultKind, /, **values: str | ServiceFault) -> None:
        self.fault = ServiceFault(kind, values).masked(mask)
        super().__init__(str(self.fault))


class ServiceUnavailable(ServiceError):  # noqa: N818
    """Its server does not start, died, or is switched off."""

    retryable = True
    reason = "unavailable"


class ServiceTimedOut(ServiceError):  # noqa: N818
    """It did not answer in time."""

    retryable = True
    reason = "timed_out"


class ServiceRateLimited(ServiceError):  # noqa: N818
    """It asks us to slow down (429). It is left out, not asked again."""

    reason = "rate_limited"


class ServiceRefused(ServiceError):  # noqa: N818
    """It answered with an error."""

    reason = "refused"


class BadServiceAnswer(ServiceError):  # noqa: N818
    """Its answer cannot be read, or is too large."""

    reason = "bad_answer"


class ServiceMisconfigured(ServiceError):  # noqa: N818
    """servers.yaml asks for something that the server does not offer."""

    reason = "misconfigured"


class DeadlinePassed(LocatorError):  # noqa: N818
    """The time of the question was used up before it was its turn."""


class FlowLogRefused(LocatorError):  # noqa: N818
    """The log of a flow in progress was written by another version, or does not fit."""
