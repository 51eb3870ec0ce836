"""Which labels can be a person's or a program's that speaks, and which belong to notes, records, logs and forms."""

from __future__ import annotations

from ricordo.formats.cues import Cue
from ricordo.formats.roles import role_of_label


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Labels of notes, records, logs and forms: never a speaker.
_NEVER = _words(
    """
    abstract accept action actual added address advantages after afternoon agenda also answer architecture
    args attendees attention author background bcc before benefits body breakfast bug caution cc challenge
    changed changes channel chapter checksum city class classifier classifiers code codename commandline
    comment comments components conclusion connection cons content content-length content-type context
    cookie copyright country created critical danger date day debug default definition depends deprecated
    description details dinner disadvantages disclaimer due duration e.g edit email end end-date error
    errors etc evening event example examples exception expected fatal features field figure file filename
    fix fixed format friday from ftp fyi given goal goals group header headers hint homepage http https
    i.e id image important info ingredients input install instructions issue item key keywords kind label
    language level license license-file line link links list location log lunch mailto maintainer md5sum
    message metadata-version method mode model moderator-note monday month morning n.b name next night
    note notes number objective observation option options origin output overview owner p.s package page
    parameter parameters params part participants password path phone pin pin-priority place prerequisites
    price priority problem project project-url prompt pros provides-extra ps purpose python question
    raises reason ref reference references remember removed reply-to request requirements requires-dist
    requires-python response result results return returns reviewer saturday scenario score section
    sections security see sender server severity sha1 sha256 signed-by size snack solution source start
    start-date started state status step steps subject suite suites summary sunday system-prompt table tag
    tags task tasks test then thought thursday time timestamp tip tips title tl;dr tldr to todo topic
    total trace tuesday type types update updated upgrade uris url usage user-agent value version warn
    warning warnings website wednesday week when where why year yields
    """
)
#: Words that make a label one of a log, wherever they stand in it.
_LOG_WORDS = _words("trace debug info notice warn warning error critical fatal exception traceback")
#: Programs that write logs, in lower case as they do.
_PROGRAMS = _words(
    "kernel systemd sshd sudo cron dhclient networkmanager dockerd nginx postgres mysqld redis root main app api "
    "server client worker scheduler db web proxy auth daemon"
)
_PARTICLES = _words("de del da di du la le van von der den ter bin ibn al el y e of the said")


def plausible(candidate: Cue) -> bool:
    """Whether a cue's name can be somebody's, by itself."""
    words = candidate.key.split()
    if role_of_label(candidate.name):
        return True
    if candidate.key in _NEVER or (words[0] in _NEVER and words[-1].isdigit()) or _LOG_WORDS.intersection(words):
        return False
    if candidate.name.islower():
        return len(words) == 1 and words[0] not in _PROGRAMS and (candidate.timed or words[0].isalpha())
    if not candidate.timed and not candidate.name[0].isalpha():
        return False
    return all(not word[0].islower() or word in _PARTICLES for word in candidate.name.split())


def is_log_word(name: str) -> bool:
    """Whether what stands in a speaker's place is a word of a log (`ERROR`, `kernel`)."""
    words = name.casefold().split()
    return bool(words) and (not _LOG_WORDS.isdisjoint(words) or name in _PROGRAMS)
