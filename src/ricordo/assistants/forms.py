"""How each assistant calls a hook, and the format in which it reads the answer.

docs/guides/coding-assistant.md lists each assistant's documentation and the date on which it was read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

#: Our events whose answer reaches the model; the others only store the transcript.
ANSWERED = ("session-start", "prompt")


@dataclass(frozen=True)
class Form:
    """The calls of one assistant."""

    #: Its name for each event that it calls, and ours.
    events: Mapping[str, str]
    #: A call as its documentation shows it, for an event (by its name), a prompt and a folder.
    call: Callable[[str, str, str], Mapping[str, Any]]
    #: Its format for a text for the model, by its name for the event. The text may be empty.
    answer: Callable[[str, str], Mapping[str, Any]]
    #: Whether it starts the hook in the session's folder instead of passing the folder.
    is_in_folder: bool = False

    def printed(self, event: str, context: str) -> str:
        """What the hook prints."""
        told = self.answer(event, context)
        return json.dumps(told) + "\n" if told else ""

    def is_answer(self, event: str, printed: str) -> bool:
        """Whether the hook's output is in the assistant's format. An empty output always is."""
        if not printed:
            return True
        try:
            told = json.loads(printed)
        except ValueError:
            return False
        return isinstance(told, dict) and told.keys() <= self.answer(event, "x").keys()


def _specific(event: str, context: str) -> Mapping[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}} if context else {}


def _cursor_answer(event: str, context: str) -> Mapping[str, Any]:
    return {"additional_context": context} if context else {}


def _cline_answer(event: str, context: str) -> Mapping[str, Any]:
    return {"cancel": False, **({"contextModification": context} if context else {})}


def _nothing(event: str, context: str) -> Mapping[str, Any]:
    return {}


def _common(event: str, prompt: str, folder: str) -> Mapping[str, Any]:
    told = {"prompt": prompt} if event in ("UserPromptSubmit", "BeforeAgent", "prompt") else {}
    source = {"source": "startup"} if event in ("SessionStart", "session-start") else {}
    return {"session_id": "", "transcript_path": "", "cwd": folder, "hook_event_name": event, **source, **told}


def _vscode_call(event: str, prompt: str, folder: str) -> Mapping[str, Any]:
    told = {"prompt": prompt} if event == "UserPromptSubmit" else {}
    return {"timestamp": "2026-02-09T10:30:00.000Z", "cwd": folder, "sessionId": "", "hookEventName": event, **told}


def _cursor_call(event: str, prompt: str, folder: str) -> Mapping[str, Any]:
    return {
        "conversation_id": "",
        "generation_id": "",
        "hook_event_name": event,
        "workspace_roots": [folder],
        "transcript_path": None,
    }


def _cline_call(event: str, prompt: str, folder: str) -> Mapping[str, Any]:
    own = {"prompt": prompt} if event == "UserPromptSubmit" else {"task": prompt}
    given = {"taskId": "", "clineVersion": "3.17.0", "timestamp": 1736654400000, "workspacePath": folder}
    return {**given, event[:1].lower() + event[1:]: own}


def _windsurf_call(event: str, prompt: str, folder: str) -> Mapping[str, Any]:
    return {"agent_action_name": event, "trajectory_id": "", "execution_id": "", "tool_info": {"transcript_path": ""}}


_CLAUDE = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PreCompact": "pre-compact",
    "SessionEnd": "session-end",
}
#: Calls from our own plugins, which pass the text on themselves.
_PLUGIN = {"session-start": "session-start", "prompt": "prompt"}

#: Assistants that call hooks, by name.
FORMS: Mapping[str, Form] = {
    "claude-code": Form(_CLAUDE, _common, _specific),
    "codex": Form(
        {
            "SessionStart": "session-start",
            "UserPromptSubmit": "prompt",
            "PreCompact": "pre-compact",
            "Stop": "turn-end",
        },
        _common,
        _specific,
    ),
    # A prompt hook can only allow or stop the prompt; any other answer stops it.
    "cursor": Form(
        {"sessionStart": "session-start", "preCompact": "pre-compact", "sessionEnd": "session-end"},
        _cursor_call,
        _cursor_answer,
    ),
    "gemini-cli": Form(
        {
            "SessionStart": "session-start",
            "BeforeAgent": "prompt",
            "PreCompress": "pre-compact",
            "SessionEnd": "session-end",
        },
        _common,
        _specific,
    ),
    "vscode": Form(_CLAUDE, _vscode_call, _specific),
    "windsurf": Form(
        {"post_cascade_response_with_transcript": "turn-end"}, _windsurf_call, _nothing, is_in_folder=True
    ),
    "opencode": Form(_PLUGIN, _common, _specific),
    "cline": Form(
        {"TaskStart": "session-start", "TaskResume": "session-start", "UserPromptSubmit": "prompt"},
        _cline_call,
        _cline_answer,
    ),
    "amp": Form(_PLUGIN, _common, _specific),
}


def form_of(agent: str) -> Form:
    """The form of an assistant; for unknown names that of Claude Code, which most assistants have adopted."""
    return FORMS.get(agent, FORMS["claude-code"])
