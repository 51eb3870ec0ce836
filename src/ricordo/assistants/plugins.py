"""JavaScript plugins for assistants that do not run shell commands as hooks.

They call `ricordo hook` and pass on its answer. If anything fails, the assistant continues without it.

OpenCode 1 calls `server` and OpenCode 2 `setup` of the same default export. Amp calls its default export.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

#: Milliseconds after which an assistant continues without an answer.
_MILLISECONDS = 5_000

_CALL = """\
// Written by `ricordo connect`; `ricordo disconnect` removes it.
import {{ spawn }} from "node:child_process"

const command = {command}
const variables = {variables}

// The output of `ricordo hook`, or an empty string.
function ask(event, given) {{
  return new Promise((resolve) => {{
    let out = ""
    let child
    const end = () => {{
      clearTimeout(timer)
      try {{
        resolve(JSON.parse(out).hookSpecificOutput.additionalContext || "")
      }} catch {{
        resolve("")
      }}
    }}
    const timer = setTimeout(() => {{
      child?.kill("SIGKILL")
      resolve("")
    }}, {milliseconds})
    try {{
      const env = {{ ...process.env, ...variables }}
      child = spawn(command[0], [...command.slice(1), event], {{ env, stdio: ["pipe", "pipe", "ignore"] }})
      child.on("error", end)
      child.on("close", end)
      child.stdin.on("error", () => {{}})
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (piece) => {{
        out += piece
      }})
      child.stdin.end(JSON.stringify({{ ...given, hook_event_name: event }}))
    }} catch {{
      end()
    }}
  }})
}}

const begun = new Set()

// Memory for the beginning of a session (with its first prompt), and memory relevant to the prompt.
async function remembered(session, folder, prompt) {{
  const given = {{ session_id: session, cwd: folder, source: "startup" }}
  const first = !begun.has(session)
  begun.add(session)
  const parts = first ? [await ask("session-start", given)] : []
  if (prompt) parts.push(await ask("prompt", {{ ...given, prompt }}))
  return parts.filter(Boolean).join("\\n\\n")
}}
"""

_OPENCODE = """
const typed = (part) => part.type === "text" && !part.synthetic
const text = (parts) => parts.filter(typed).map((part) => part.text).join("\\n")

export default {
  id: "ricordo",
  server: async ({ client, directory }) => ({
    "chat.message": async ({ sessionID }, output) => {
      try {
        const session = await client.session.get({ path: { id: sessionID } })
        if (session?.data?.parentID) return // a subagent's
        const found = await remembered(sessionID, directory, text(output.parts))
        const { id: messageID } = output.message
        if (found) {
          const id = `prt_ricordo${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`
          output.parts.push({ id, sessionID, messageID, type: "text", text: found, synthetic: true })
        }
      } catch {}
    },
  }),
  setup: async (ctx) => {
    const told = new Map()
    await ctx.session.hook("prompt", async (event) => {
      try {
        const { sessionID } = event
        const answer = await ctx.session.get({ sessionID })
        const session = answer?.data ?? answer
        if (session?.parentID) return // a subagent's
        const folder = session?.location?.directory ?? process.cwd()
        const found = await remembered(sessionID, folder, event.prompt?.text)
        if (found) told.set(sessionID, [...(told.get(sessionID) ?? []), found])
      } catch {}
    })
    // Each request starts without earlier additions, so all additions of the session are made again, in order.
    await ctx.session.hook("context", (event) => {
      for (const found of told.get(event.sessionID) ?? []) event.system.push({ type: "text", text: found })
    })
  },
}
"""

_AMP = """
export default function (amp) {
  amp.on("agent.start", async (event) => {
    try {
      const found = await remembered(event.thread.id, process.cwd(), event.message)
      return found ? { message: { content: found } } : {}
    } catch {
      return {}
    }
  })
}
"""

_ADAPTERS = {"opencode": _OPENCODE, "amp": _AMP}


def plugin(agent: str, command: Sequence[str], variables: Mapping[str, str]) -> str:
    """The plugin for an assistant. It runs this command with the name of an event."""
    call = _CALL.format(
        command=json.dumps(list(command)), variables=json.dumps(dict(variables)), milliseconds=_MILLISECONDS
    )
    return call + _ADAPTERS[agent]
