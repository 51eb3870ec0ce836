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
#: The prefix with one character left out, doubled, or swapped with the one before it. Replaced characters do not count:
#: RICARDO_HOME may belong to another program.
_SLIPS = tuple(
    {
        slip
        for before, here, after in (
            (PREFIX[:place], PREFIX[place], PREFIX[place + 1 :]) for place in range(len(PREFIX))
        )
        for slip in (before + after, before + 2 * here + after, before + after[:1] + here + after[1:])
    }
    - {PREFIX}
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

    #: Folder for everything that Ricordo stores: the embedded server's data, models, sockets and logs.
    home: Path = field(default_factory=default_home)
    #: URL of a PostgreSQL 15+ server with pgvector 0.8+. Without it, the embedded server in the home folder is used.
    database_url: str | None = field(default=None, repr=False)
    #: URL for the role that owns the schema, for migrations and for deleting users; by default RICORDO_DATABASE_URL.
    database_owner_url: str | None = field(default=None, repr=False)
    #: URL of a streaming replica of the database. Recall reads from it where the replica has caught up.
    database_read_url: str | None = field(default=None, repr=False)
    #: URL of a `ricordo serve` on another machine, such as https://memory.example.org. With it, `ricordo recall`,
    #: `ricordo mine`, `ricordo mcp` and hooks use the memory there; other commands are refused.
    remote_url: str | None = None
    #: API key for RICORDO_REMOTE_URL, which decides whose memory is used.
    remote_key: str | None = field(default=None, repr=False)
    #: `on` allows plain HTTP to another machine in `remote_url`. The network can then read the API key.
    remote_plain_http: str = "off"
    #: Database in the embedded server. Several stores can share one server.
    database: str = "ricordo"
    #: Schema that holds every table. Benchmarks use a schema of their own.
    schema: str = "ricordo"
    #: Folder of other PostgreSQL programs with pgvector, for the embedded server: the folder that contains `postgres`.
    postgres_bin: Path | None = None
    #: Maximum number of database connections per process.
    pool_size: int = 8
    #: Seconds to wait for the store before giving up.
    connect_timeout: float = 10.0
    #: User whose memory is used if the caller does not name one.
    user: str = "local"
    #: Time zone (IANA name) of users who have not chosen one; by default the variable TZ, or else UTC.
    time_zone: str | None = None
    #: Folder with the files of the embedding model; by default `models` in the home folder.
    model_dir: Path | None = None
    #: Base URL of a hosted embedding model that speaks OpenAI's protocol, such as https://api.openai.com/v1 or
    #: http://localhost:11434/v1. Without it, a model on this machine is used.
    embedding_url: str | None = field(default=None, repr=False)
    #: API key for RICORDO_EMBEDDING_URL, if the endpoint needs one.
    embedding_key: str | None = field(default=None, repr=False)
    #: Embedding model of users without vectors: its name at RICORDO_EMBEDDING_URL, or else one of `ricordo models
    #: list`. By default, new users get the store's default model or the best installed one. Existing vectors keep
    #: their model until `ricordo reembed`.
    embedding_model: str | None = None
    #: Length of the vectors to request from RICORDO_EMBEDDING_URL; by default the model's own.
    embedding_dimensions: int | None = None
    #: Number of threads for a local embedding model; 0 means one per core.
    embedding_threads: int = 0
    #: Base URL of an LLM that speaks OpenAI's protocol, such as https://openrouter.ai/api/v1 or
    #: http://localhost:11434/v1.
    llm_url: str | None = field(default=None, repr=False)
    #: API key for RICORDO_LLM_URL, if the endpoint needs one.
    llm_key: str | None = field(default=None, repr=False)
    #: Name of the LLM at RICORDO_LLM_URL.
    llm_model: str | None = None
    #: Maximum seconds for one request to the LLM, including retries.
    llm_timeout: float = 60.0
    #: Maximum seconds that a recall waits for the LLM to rerank its candidates.
    rerank_timeout: float = 2.0
    #: Seconds between heartbeats of `ricordo worker`. A worker without a heartbeat for three times as long counts as
    #: dead.
    worker_heartbeat: float = 10.0
    #: Hours between automatic backups by long-lived processes. Without it, there are no automatic backups.
    backup_every: float | None = None
    #: Number of automatic backups to keep.
    backup_keep: int = 7
    #: Folder for backups; by default `backups` in the home folder.
    backup_dir: Path | None = None
    #: Seconds between automatic syncs by long-lived processes, for memories that are synced; 0 turns them off.
    sync_every: float = 60.0
    #: API key of the server that holds a synced folder, for `ricordo sync init` and `join` with a URL. These store
    #: it in the home folder.
    sync_key: str | None = field(default=None, repr=False)
    #: Folder in which `ricordo serve` holds the synced folders of its users; by default `synced-folders` in the home
    #: folder.
    sync_dir: Path | None = None
    #: Whether commands for assistants use a resident process, which answers at once: `on` or `off`.
    resident: str = "on"
    #: Seconds without a call after which the resident process ends.
    resident_idle: float = 900.0
    #: Issuer (URL) of an identity provider whose tokens `ricordo serve` accepts besides API keys.
    oidc_issuer: str | None = None
    #: Audience that the identity provider's tokens must have.
    oidc_audience: str | None = None
    #: File or https URL of the identity provider's public keys (JWKS).
    oidc_keys: str | None = None
    #: Claim that holds the user's name.
    oidc_claim: str = "sub"

    def __post_init__(self) -> None:
        for name in ("database", "schema"):
            value = getattr(self, name)
            if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", value):
                raise InvalidInput(
                    name, f"invalid name {value!r}: expected a lower-case SQL name of up to 63 characters"
                )
        if self.schema.startswith("pg_") or self.schema == "information_schema":
            raise InvalidInput("schema", f"invalid name {self.schema!r}: PostgreSQL keeps it for itself")
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
        if self.remote_url is not None:
            if not re.fullmatch(r"https?://[^/\s@]+(/[^@?#\s]*)?", self.remote_url):
                raise InvalidInput(
                    "remote_url", "invalid URL: expected an http(s) URL such as https://memory.example.org"
                )
            if shows_key(self.remote_url) and self.remote_plain_http != "on":
                raise InvalidInput(
                    "remote_url",
                    f"{self.remote_url} would show your API key to the network: use https, or set "
                    "RICORDO_REMOTE_PLAIN_HTTP=on",
                )
            if not self.remote_key:
                raise InvalidInput(
                    "remote_key",
                    "missing: RICORDO_REMOTE_URL requires an API key, from `ricordo key create` there",
                )
        if self.embedding_url is not None:
            if not re.match(r"https?://[^/\s]", self.embedding_url):
                raise InvalidInput("embedding_url", f"invalid URL {self.embedding_url!r}: expected an http(s) URL")
            if not self.embedding_model:
                raise InvalidInput("embedding_model", "missing model name: RICORDO_EMBEDDING_URL requires it")
        if not 1 <= (self.embedding_dimensions or 1) <= LONGEST_VECTOR or self.embedding_dimensions == 0:
            raise InvalidInput("embedding_dimensions", f"must be between 1 and 16,000, not {self.embedding_dimensions}")
        if self.llm_url is not None and not re.match(r"https?://[^/\s@]+(/[^@]*)?$", self.llm_url):
            raise InvalidInput(
                "llm_url",
                "invalid URL: expected an http(s) URL such as http://localhost:11434/v1; keys go into RICORDO_LLM_KEY",
            )
        if not 0 < self.worker_heartbeat < math.inf:
            raise InvalidInput("worker_heartbeat", f"must be greater than 0 seconds, not {self.worker_heartbeat}")
        if self.backup_every is not None and not 0 < self.backup_every < math.inf:
            raise InvalidInput("backup_every", f"must be greater than 0 hours, not {self.backup_every}")
        for name in ("resident", "remote_plain_http"):
            if getattr(self, name) not in ("on", "off"):
                raise InvalidInput(name, f"must be on or off, not {getattr(self, name)!r}")
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
    def synced_folders(self) -> Path:
        """The folder with one synced folder for each user whose memory this server holds."""
        return self.sync_dir or self.home / "synced-folders"

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
    return name in available_timezones() - {"localtime"}  # the file of this machine's zone on some systems


def is_loopback(host: str) -> bool:
    """Whether a host, by name or address, can only be this machine."""
    import ipaddress  # few processes need it

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def shows_key(url: str) -> bool:
    """Whether an API key that is sent to this URL can be read on the way: without TLS, to another machine."""
    from urllib.parse import urlsplit  # few processes need it

    parts = urlsplit(url)
    return parts.scheme == "http" and not is_loopback(parts.hostname or "")


def _zone_of_system(environ: Mapping[str, str]) -> str | None:
    """The zone that the variable TZ names. Its other forms, such as `CET-1CEST`, name none."""
    name = environ.get("TZ", "").strip().removeprefix(":")
    return name if name and is_zone(name) else None


def _refuse_unknown(environ: Mapping[str, str], known: list[str]) -> None:
    for name in sorted(environ):
        if name in known or not environ[name].strip() or not _is_meant(name.upper(), known):
            continue
        if not _ELSEWHERE.fullmatch(f"{name}={environ[name]}"):
            nearest = difflib.get_close_matches(name.upper(), known, n=1, cutoff=0.0)
            raise InvalidInput(name, f"unknown setting: did you mean {nearest[0]}? Rename or unset the variable")


def _is_meant(name: str, known: list[str]) -> bool:
    """Whether a variable is Ricordo's: by its prefix, or as a setting with a misspelled prefix."""
    if name.startswith(PREFIX):
        return True
    return name.startswith(_SLIPS) and any(
        name == slip + each.removeprefix(PREFIX) for slip in _SLIPS for each in known
    )


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
