"""Tiny files in the form of the benchmarks LoCoMo, LongMemEval, BEAM and RealMem, with talk of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def write(folder: Path, records: list[dict[str, Any]]) -> Path:
    """A benchmark file of these records."""
    path = folder / "benchmark.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    return path


def locomo_sample(**fields: Any) -> dict[str, Any]:
    """A sample of two sessions, with two questions that have evidence and two that have none."""
    return {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Grace",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "I adopted a dog."},
                {
                    "speaker": "Grace",
                    "dia_id": "D1:2",
                    "text": "Lovely! Here is mine.",
                    "blip_caption": "a photo of a spaniel",
                },
            ],
            "session_2_date_time": "9:05 am on 1 June, 2023",
            "session_2": [{"speaker": "Grace", "dia_id": "D2:1", "text": "My sister moved to Lisbon."}],
        },
        "qa": [
            {"question": "What did Ada adopt?", "answer": "a dog", "evidence": ["D1:1"], "category": 4},
            {"question": "Spaniel and sister?", "answer": "yes", "evidence": ["D1:2; D2:1"], "category": 1},
            {"question": "Why?", "answer": "?", "evidence": [], "category": 3},
            {"question": "Whose cat?", "adversarial_answer": "?", "evidence": ["D1:1"], "category": 5},
        ],
        **fields,
    }


def longmemeval_record(**fields: Any) -> dict[str, Any]:
    """A question about the first of two sessions; the session has a turn without text."""
    return {
        "question_id": "q1",
        "question_type": "single-session-user",
        "question": "Which car do I drive?",
        "answer": "a Saab",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["s1", "s2"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00"],
        "haystack_sessions": [
            [
                {"role": "assistant", "content": " "},
                {"role": "user", "content": "I drive a blue Saab.", "has_answer": True},
                {"role": "assistant", "content": "Nice car."},
            ],
            [{"role": "user", "content": "How do I prune pears?"}, {"role": "assistant", "content": "In winter."}],
        ],
        "answer_session_ids": ["s1"],
        **fields,
    }


def beam_record(**fields: Any) -> dict[str, Any]:
    """A chat of two conversations, a question whose evidence is in both, and one without evidence."""

    def message(id: int, conversation: str, role: str, content: str) -> dict[str, Any]:
        at = f"2024-03-{15 + id:02}T09:00:00+00:00"
        return {"id": id, "conversation": conversation, "role": role, "at": at, "content": content}

    return {
        "chat": "7",
        "messages": [
            message(0, "one", "user", "I want to bake rye bread for the harvest fair."),
            message(1, "one", "assistant", "Start the sourdough two days before."),
            message(2, "two", "user", "The oven is booked for Friday now, for my rye bread."),
        ],
        "questions": [
            {"type": "multi_session", "question": "What do I plan with rye bread?", "evidence": [0, 2], "answer": ""},
            {"type": "abstention", "question": "What did the judge say?", "evidence": [], "answer": "Nothing."},
        ],
        **fields,
    }


def realmem_person(**fields: Any) -> dict[str, Any]:
    """Two dialogues of one person; the second asks about the first, and an empty turn stands in it."""

    def turn(speaker: str, content: str, **more: Any) -> dict[str, Any]:
        return {"speaker": speaker, "content": content, "is_query": False, "query_id": None, **more}

    used = {"session_uuid": "a1", "content": "The user grows quinces."}
    return {
        "_metadata": {"person_name": "Ada"},
        "dialogues": [
            {
                "session_uuid": "a1",
                "current_time": "2025-12-15 (Monday)",
                "dialogue_turns": [
                    turn("User", " "),
                    turn("User", "My quinces got frost last night."),
                    turn("Assistant", "Cover the trees."),
                ],
                "extracted_memory": [{"content": "The user grows quinces.", "source_turn": 2}],
            },
            {
                "session_uuid": "b2",
                "current_time": "2025-12-16 (Tuesday)",
                "dialogue_turns": [
                    turn("User", "What should I do with my quinces?", is_query=True, category_name="Static"),
                    turn("Assistant", "Cover them.", memory_session_uuids=["a1"], memory_used=[used]),
                ],
                "extracted_memory": [],
            },
        ],
        **fields,
    }
