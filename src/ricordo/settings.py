"""Every process setting, its environment variable and its default. Nothing else reads the environment."""

from __future__ import annotations

import difflib
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from zoneinfo import available_timezones

from ricordo.errors import InvalidInput

PREFIX = "RICORDO_"
#: Variables of the same prefix that are not settings, as NAME=VALUE: those of tests, those of building the web page,
#: and those that Kubernetes sets in every container beside a service called `ricordo` or `ricordo-…`.
_ELSEWHERE = re.compile(
    r"RICORDO_(TEST_\w+|SKIP_WEB|REQUIRE_WEB|SERVER|(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP|SCTP)(_\w+)?))=.*"
    r"|RICORDO_(\w+_)?PORT=(tcp|udp|sctp)://.*",
    re.DOTALL,
)
#: Dimensions that pgvector stores at most in a halfvec.
LONGEST_VECTOR = 16_000


def default_home(environ: Mapping[str, str] = os.environ) -> Path:
    """The default of `RICORDO_HOME`: `/var/lib/ricordo` for root, because the embedded server then runs as another
    account that cannot access root's home; otherwise the platform's user data folder."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/ricordo")
    from platformdirs import user_data_path  # 20 ms, only where it is needed

    try:
        return user_data_path("ricordo", appauthor=False)
    except RuntimeError:  # neither HOME nor an entry in /etc/passwd, as in a container with a number for a user
        raise InvalidInput(
            "home", "this account has no home folder: set RICORDO_HOME to a folder that it can write to"
        ) from None


def account_home(instead: str) -> Path:
    """The home folder of this process's account. Raises InvalidInput with the advice `instead` if there is none."""
    try:
        return Path.home()
    except RuntimeError:
        raise InvalidInput("HOME", f"this account has no home folder: {instead}") from None


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The process settings. `Settings.from_environment` reads each field from `RICORDO_` + its name in capitals."""

    #: The folder of everything that Ricordo keeps: the embedded server's data, models, sockets, logs.
    home: Path = field(default_factory=default_home)
    #: A PostgreSQL 15+ with pgvector 0.8+ to use; none means the embedded server under `home`.
    database_url: str | None = field(default=None, repr=False)
    #: A role that owns the schema, for migrations and the deletion of users; none means `database_url`.
    database_owner_url: str | None = field(default=None, repr=False)
    #: A streaming replica of `database_url` that recall reads from where it has caught up; none means the store itself.
    database_read_url: str | None = field(default=None, repr=False)
    #: The database in the embedded server that holds the store; several stores can share one server.
    database: str = "ricordo"
    #: The schema that holds every table; benchmarks use one of their own.
    schema: str = "ricordo"
    #: Other PostgreSQL binaries with pgvector for the embedded server (the folder that holds `postgres`).
    postgres_bin: Path | None = None
    #: Connections that one process opens at most.
    pool_size: int = 8
    #: Seconds to wait for the store before giving up.
    connect_timeout: float = 10.0
    #: The user whose memory this is, where the caller names none.
    user: str = "local"
    #: The time zone (IANA name) whose days are those of users who have not chosen one; none means the variable TZ, or
    #: UTC.
    time_zone: str | None = None
    #: A folder with the embedding model's files, used instead of `home`/models.
    model_dir: Path | None = None
    #: Base URL of a hosted embedding model: an endpoint that speaks OpenAI's protocol, such as
    #: https://api.openai.com/v1 or http://localhost:11434/v1. None means a model on this machine.
    embedding_url: str | None = None
    #: API key for `embedding_url`, if the endpoint needs one.
    embedding_key: str | None = field(default=None, repr=False)
    #: Embedding model for users who have no vectors yet: its name at `embedding_url`, else one of `ricordo models
    #: list`. None means the first installed one. Existing vectors keep their model until `ricordo reembed`.
    embedding_model: str | None = None
    #: Length of the vectors to ask `embedding_url` for; None means the model's own.
    embedding_dimensions: int | None = None
    #: Threads for a local embedding model; 0 means one per core.
    embedding_threads: int = 0
    #: An LLM: the base URL of an endpoint that speaks OpenAI's protocol (such as
    #: https://openrouter.ai/api/v1 or http://localhost:11434/v1), its key if it wants one, and the model there.
    llm_url: str | None = None
    llm_key: str | None = field(default=None, repr=False)
    llm_model: str | None = None
    #: Seconds that one call of the LLM may take, and that a recall waits for it to put candidates in order.
    llm_timeout: float = 60.0
    rerank_timeout: float = 2.0
    #: Seconds between two signs of life of `ricordo worker`; one that is silent three times as long counts as dead.
    worker_heartbeat: float = 10.0
    #: Hours between two backups that long-lived processes make by themselves; none means never. How many of them are
    #: kept, and the folder where they are; none means backups under `home`.
    backup_every: float | None = None
    backup_keep: int = 7
    backup_dir: Path | None = None
    #: Seconds between two syncs that long-lived processes make by themselves, of memories that are synced; 0: none.
    sync_every: float = 60.0
    #: Whether commands for assistants go through a resident process, which answers at once: `on` or `off`; and the
    #: seconds after which it ends when nobody has asked.
    resident: str = "on"
    resident_idle: float = 900.0
    #: An identity provider whose tokens `ricordo serve` takes beside keys: its issuer, the audience that its tokens are
    #: for, a file or an https URL of its keys (JWKS), and the claim that is the user's name.
    oidc_issuer: str | None = None
    oidc_audience: str | None = None
    oidc_keys: str | None = None
    oidc_claim: str = "sub"

    def __post_init__(self) -> None:
        for name in ("database", "schema"):
            value = getattr(self, name)
            if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", value):
                raise InvalidInput(
                    name, f"invalid name {value!r}: expected a lower-case SQL name of up to 63 characters"
                )
        if self.time_zone is not None and not is_zone(self.time_zone):
            raise InvalidInput("time_zone", f"{self.time_zone!r} is not an IANA time zone such as Europe/Berlin")
        if self.pool_size < 1:
            raise InvalidInput("pool_size", f"must be at least 1, not {self.pool_size}")
        for name in ("connect_timeout", "llm_timeout", "rerank_timeout"):
            if not 0 < getattr(self, name) < math.inf:
                raise InvalidInput(name, f"must be greater than 0 seconds, not {getattr(self, name)}")
        if self.database_read_url is not None and self.database_url is None:
            raise InvalidInput("database_read_url", "requires database_url, the primary of this replica")
        oidc = {name: getattr(self, f"oidc_{name}") for name in ("issuer", "audience", "keys")}
        for name, value in oidc.items():
            if any(oidc.values()) and not value:
                raise InvalidInput(f"oidc_{name}", "missing: the other settings of the identity provider require it")
        if oidc["keys"] and not re.match(r"https://|http://(localhost|127\.0\.0\.1)[:/]|(?!\w+://)", oidc["keys"]):
            raise InvalidInput("oidc_keys", f"invalid location {oidc['keys']!r}: expected a file or an https URL")
        if self.embedding_url is not None:
            if not re.match(r"https?://[^/\s]", self.embedding_url):
                raise InvalidInput("embedding_url", f"invalid URL {self.embedding_url!r}: expected an http(s) URL")
            if not self.embedding_model:
                raise InvalidInput("embedding_model", "missing model name: embedding_url requires it")
        if not 1 <= (self.embedding_dimensions or 1) <= LONGEST_VECTOR or self.embedding_dimensions == 0:
            raise InvalidInput("embedding_dimensions", f"must be between 1 and 16,000, not {self.embedding_dimensions}")
        if self.llm_url is not None and not re.match(r"https?://[^/\s@]+(/[^@]*)?$", self.llm_url):
            raise InvalidInput(
                "llm_url",
                "invalid URL: expected an http(s) URL such as http://localhost:11434/v1; put the key into llm_key",
            )
        if not 0 < self.worker_heartbeat < math.inf:
            raise InvalidInput("worker_heartbeat", f"must be greater than 0 seconds, not {self.worker_heartbeat}")
        if self.backup_every is not None and not 0 < self.backup_every < math.inf:
            raise InvalidInput("backup_every", f"must be greater than 0 hours, not {self.backup_every}")
        if self.resident not in ("on", "off"):
            raise InvalidInput("resident", f"must be on or off, not {self.resident!r}")
        if not 0 < self.resident_idle < math.inf:
            raise InvalidInput("resident_idle", f"must be greater than 0 seconds, not {self.resident_idle}")
        if self.backup_keep < 1:
            raise InvalidInput("backup_keep", f"must be at least 1, not {self.backup_keep}")
        if not 0 <= self.sync_every < math.inf:
            raise InvalidInput("sync_every", f"must be at least 0 seconds, not {self.sync_every}")
        if self.embedding_threads < 0:
            raise InvalidInput(
                "embedding_threads", f"must be at least 0 (0 uses all cores), not {self.embedding_threads}"
            )

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ, **overrides: object) -> Settings:
        """The settings of this process: defaults, overridden by the environment, overridden by `overrides` that are not
        None.

        Raises InvalidInput with the variable's name for an invalid value or an unknown variable. A misspelled
        RICORDO_DATABASE_URL must not silently put memory into another store.
        """
        _refuse_unknown(environ, [PREFIX + each.name.upper() for each in fields(cls)])
        values: dict[str, object] = {}
        for each in fields(cls):
            raw = environ.get(PREFIX + each.name.upper(), "").strip()
            if raw:
                values[each.name] = _parse(PREFIX + each.name.upper(), raw, str(each.type))
        values.setdefault("time_zone", _zone_of_system(environ))
        values.update({name: value for name, value in overrides.items() if value is not None})
        return cls(**values)  # type: ignore[arg-type]

    @property
    def models(self) -> Path:
        """The folder with one subfolder for each installed model."""
        return self.model_dir or self.home / "models"

    @property
    def backups(self) -> Path:
        """The default folder for backups."""
        return self.backup_dir or self.home / "backups"

    @property
    def scratch(self) -> Path:
        """The folder for temporary files. The system's own may be small or belong to another account."""
        return self.home / "tmp"

    @property
    def logs(self) -> Path:
        """The folder for Ricordo's logs."""
        return self.home / "logs"


def is_zone(name: str) -> bool:
    """Whether this is the IANA name of a time zone, such as `Europe/Berlin`."""
    return name in available_timezones()


def _zone_of_system(environ: Mapping[str, str]) -> str | None:
    """The zone that the variable TZ names. Its other forms, such as `CET-1CEST`, name none."""
    name = environ.get("TZ", "").strip().removeprefix(":")
    return name if name and is_zone(name) else None


def _refuse_unknown(environ: Mapping[str, str], known: list[str]) -> None:
    for name in sorted(environ):
        if not name.upper().startswith(PREFIX) or name in known or not environ[name].strip():
            continue
        if not _ELSEWHERE.fullmatch(f"{name}={environ[name]}"):
            nearest = difflib.get_close_matches(name.upper(), known, n=1, cutoff=0.0)
            raise InvalidInput(name, f"unknown setting: did you mean {nearest[0]}? Rename or unset the variable")


def _parse(name: str, raw: str, kind: str) -> object:
    try:
        if kind.startswith("Path"):
            return Path(raw).expanduser().absolute()
        if kind.startswith("int"):
            return int(raw)
        if kind.startswith("float"):
            return float(raw)
    except RuntimeError:  # of expanduser
        raise InvalidInput(
            name, f"invalid path {raw!r}: this account has no home folder, so use an absolute path"
        ) from None
    except ValueError:
        raise InvalidInput(
            name, f"invalid value {raw!r}: expected a {'whole number' if kind.startswith('int') else 'number'}"
        ) from None
    return raw
