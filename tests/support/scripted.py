"""Models of frameworks that answer what a script says, for tests and the examples in docs/adapters.md.

A script is a list of answers: a text, or (tool, arguments) for a call of a tool.
"""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from pydantic import Field

Script = Sequence[str | tuple[str, dict[str, Any]]]


def openai_model(script: Script) -> Any:
    """A model of the OpenAI Agents SDK; `inputs` holds what it was given."""
    from agents import Model, ModelResponse, Usage
    from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

    class Scripted(Model):
        def __init__(self) -> None:
            self.left, self.inputs = list(script), []

        async def get_response(self, system_instructions: Any, input: Any, *args: Any, **kwargs: Any) -> ModelResponse:
            self.inputs.append(input if isinstance(input, str) else list(input))
            number = len(self.inputs)
            answer = self.left.pop(0)
            output: Any
            if isinstance(answer, str):
                text = ResponseOutputText(type="output_text", text=answer, annotations=[])
                output = ResponseOutputMessage(
                    id=f"m{number}", type="message", role="assistant", status="completed", content=[text]
                )
            else:
                output = ResponseFunctionToolCall(
                    type="function_call", call_id=f"c{number}", name=answer[0], arguments=json.dumps(answer[1])
                )
            return ModelResponse(output=[output], usage=Usage(), response_id=None)

        def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
            raise NotImplementedError

    return Scripted()


@contextmanager
def anthropic_client(script: Script) -> Iterator[Any]:
    """Anthropic's client, on a local server that answers as the Messages API does."""
    from anthropic import Anthropic

    left = list(script)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            answer = left.pop(0)
            block: dict[str, Any] = {"type": "text", "text": answer}
            if not isinstance(answer, str):
                block = {"type": "tool_use", "id": f"toolu_{len(left)}", "name": answer[0], "input": answer[1]}
            message = {
                "id": f"msg_{len(left)}", "type": "message", "role": "assistant", "model": "scripted",
                "content": [block], "stop_reason": "end_turn" if isinstance(answer, str) else "tool_use",
                "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
            }  # fmt: skip
            body = json.dumps(message).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.01], daemon=True)
        thread.start()
        try:
            with Anthropic(api_key="none", base_url=f"http://127.0.0.1:{server.server_port}") as client:
                yield client
        finally:
            server.shutdown()
            thread.join()


def langchain_model(script: Sequence[str]) -> Any:
    """A chat model of LangChain; `prompts` holds what it was given."""
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.outputs import ChatGeneration, ChatResult

    class Scripted(BaseChatModel):
        left: list[str]
        prompts: list[list[BaseMessage]] = Field(default_factory=list)

        @property
        def _llm_type(self) -> str:
            return "scripted"

        def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
            self.prompts.append(messages)
            return ChatResult(generations=[ChatGeneration(message=AIMessage(content=self.left.pop(0)))])

    return Scripted(left=list(script))


def pydantic_ai_model(script: Sequence[str]) -> Any:
    """A model of Pydantic AI, and the list of instructions that it was given."""
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    left, instructions = list(script), []

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        instructions.append(info.instructions or "")
        return ModelResponse(parts=[TextPart(left.pop(0))])

    return FunctionModel(answer), instructions


def adk_model(script: Sequence[str]) -> Any:
    """A model of Google's ADK; `requests` holds what it was given."""
    from google.adk.models import BaseLlm, LlmRequest, LlmResponse
    from google.genai import types

    class Scripted(BaseLlm):
        left: list[str]
        requests: list[Any] = Field(default_factory=list)

        async def generate_content_async(
            self, llm_request: LlmRequest, stream: bool = False
        ) -> AsyncIterator[LlmResponse]:
            self.requests.append(llm_request)
            yield LlmResponse(content=types.Content(role="model", parts=[types.Part(text=self.left.pop(0))]))

    return Scripted(model="scripted", left=list(script))


def agent_framework_client(script: Sequence[str]) -> Any:
    """A chat client of Microsoft's Agent Framework; `instructions` holds those that it was given."""
    from agent_framework import BaseChatClient, ChatResponse, Message

    class Scripted(BaseChatClient):
        def __init__(self) -> None:
            super().__init__()
            self.left, self.instructions = list(script), []

        async def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **kwargs: Any) -> Any:
            self.instructions.append(str(options.get("instructions") or "") + str([each.text for each in messages]))
            return ChatResponse(messages=[Message(role="assistant", contents=[self.left.pop(0)])], response_id="r")

    return Scripted()
