"""opencode: its hooks are JavaScript, so a small plugin runs ours and takes our own form of an answer."""

from __future__ import annotations

import json

from upheld.services.connect.registration import SERVER, Program, Raw, Registration, Server, Settings

_PLUGIN = """\
// Runs Upheld's hooks in opencode. A hook that fails says so to the model and stops nothing.
import { spawnSync } from "node:child_process"

const lines = LINES
const unchecked = "Upheld: memory could not be checked. No governed action is authorised by it."
const opened = new Set()

function ask(event, payload) {
  const options = { input: JSON.stringify(payload), encoding: "utf8", timeout: 5000 }
  const done = spawnSync("/bin/sh", ["-c", lines[event]], options)
  if (done.error || done.status !== 0) return { context: unchecked }
  try {
    return done.stdout.trim() ? JSON.parse(done.stdout) : {}
  } catch {
    return { context: unchecked }
  }
}

export const Upheld = async ({ directory }) => ({
  "chat.message": async (input, output) => {
    const common = { session_id: input.sessionID, cwd: directory }
    const part = output.parts.find((one) => one.type === "text")
    if (!part) return
    const said = []
    if (!opened.has(input.sessionID)) {
      opened.add(input.sessionID)
      said.push(ask("session-start", { ...common, source: "startup" }).context)
    }
    const answer = ask("prompt", { ...common, prompt: part.text })
    if (answer.block) throw new Error(answer.block)
    said.push(answer.context)
    const text = said.filter(Boolean).join("\\n\\n")
    if (text) part.text = `${part.text}\\n\\n${text}`
  },
  "tool.execute.before": async (input, output) => {
    const answer = ask("before-tool", {
      session_id: input.sessionID, cwd: directory, tool_name: input.tool, tool_input: output.args,
    })
    if (answer.deny || answer.block) throw new Error(answer.deny || answer.block)
  },
})
"""
_EVENTS = ("session-start", "prompt", "before-tool")


def _files(scope: str, program: Program) -> tuple[Settings, ...]:
    lines = json.dumps({event: program.hook("opencode", event) for event in _EVENTS}, indent=2)
    entry: dict[str, object] = {
        "type": "local",
        "command": list(program.server("opencode")),
        "enabled": True,
        "timeout": 20_000,
    }
    folder = ".config/opencode/" if scope == "user" else ""
    plugin = ".config/opencode/plugin/upheld.js" if scope == "user" else ".opencode/plugin/upheld.js"
    return (
        Settings(name=plugin, form="javascript", parts=(Raw(value=_PLUGIN.replace("LINES", lines)),)),
        Settings(name=f"{folder}opencode.json", form="json", parts=(Server(path=("mcp", SERVER), entry=entry),)),
    )


def _notes(_scope: str) -> tuple[str, ...]:
    return ("opencode reads AGENTS.md: the block of `upheld connect agents-md` goes well with it",)


REGISTRATION = Registration(name="opencode", title="opencode", files=_files, notes=_notes, is_written=False)
