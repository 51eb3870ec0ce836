"""Coding assistants: which there are, how each is connected, and what their hooks do."""

from ricordo.assistants.agents import AGENTS, Agent, Machine
from ricordo.assistants.connecting import Plan, check, connected, plan_connection, plan_disconnection
from ricordo.assistants.forms import form_of

__all__ = [
    "AGENTS",
    "Agent",
    "Machine",
    "Plan",
    "check",
    "connected",
    "form_of",
    "plan_connection",
    "plan_disconnection",
]
