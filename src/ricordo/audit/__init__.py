"""The access log and its seals, receipts of forgetting, and proof of absence."""

from ricordo.audit.absence import Wanted, absence
from ricordo.audit.access import Actor, accesses_of_memory, accesses_of_run, log, log_read, reads_held, seal, verify
from ricordo.audit.quotations import RUN, Parts, parts, quoted

__all__ = [
    "RUN",
    "Actor",
    "Parts",
    "Wanted",
    "absence",
    "accesses_of_memory",
    "accesses_of_run",
    "log",
    "log_read",
    "parts",
    "quoted",
    "reads_held",
    "seal",
    "verify",
]
