/**
 * The world of the tools (sandbox/world.ts): a separate studio for each run, behind an MCP server that the
 * run alone calls.
 */
import type { JsonValue, LoggedRequest } from '@stateeval/contracts'
import type { CallReply, OpenWorld, SandboxWorld } from '@stateeval/sandbox'
import { createLink, type StudioLink } from './link.ts'
import { createStudio, type StudioServer } from './studio.ts'
import { modelTools } from '../tools.ts'
import { surface } from './surface.ts'

const logLimits = { requests: 200, characters: 8192, links: 16 } as const
const shortenJson = (value: JsonValue) => JSON.stringify(value).slice(0, logLimits.characters)

/** Opens nothing before the first run. */
export function createElevenLabsWorld(): SandboxWorld {
  const idle: StudioLink[] = []
  let closed = false
  const give = async (link: StudioLink, sound: boolean) => {
    if (sound && !closed && idle.length < logLimits.links) idle.push(link)
    else await link.close()
  }
  return {
    id: 'elevenlabs-mcp',
    tools: () => modelTools,
    async open(initial) {
      const studio = createStudio(initial)
      const link = idle.pop() ?? (await createLink())
      link.serve(studio)
      return openWorld(studio, link, give)
    },
    async close() {
      closed = true
      await Promise.all(idle.splice(0).map((link) => link.close()))
    },
  }
}

function openWorld(
  studio: StudioServer,
  link: StudioLink,
  give: (link: StudioLink, sound: boolean) => Promise<void>,
): OpenWorld {
  const log: LoggedRequest[] = []
  const faults: string[] = []
  let end: Promise<void> | undefined

  const pending = new Set<Promise<unknown>>()
  const settled = () => Promise.allSettled(pending)

  function call(tool: string, args: JsonValue): Promise<CallReply> {
    if (end) return Promise.resolve({ ok: false, error: { name: 'ToolError', message: 'the run has ended' } })
    const reply = answer(tool, args)
    pending.add(reply)
    return reply.finally(() => pending.delete(reply))
  }
  async function answer(tool: string, args: JsonValue): Promise<CallReply> {
    try {
      const reply = await link.call(tool, args)
      if (log.length < logLimits.requests) log.push(logToolCall(tool, args, reply))
      return reply
    } catch (error) {
      faults.push(`the tool server failed: ${String(error)}`)
      throw error
    }
  }
  return {
    channel: { kind: 'calls', surface, handle: call },
    async call(tool, args) {
      const reply = await call(tool, args)
      return reply.ok
        ? { content: JSON.stringify(reply.value) }
        : { content: reply.error.message, error: true }
    },
    async observe() {
      await settled()
      return { world: studio.world(), log: [...log], faults: [...faults] }
    },
    // A call that is still under way must not reach the next run's studio.
    close: () => (end ??= settled().then(() => give(link, faults.length === 0))),
  }
}

const logToolCall = (tool: string, args: JsonValue, reply: CallReply): LoggedRequest => ({
  method: 'CALL',
  path: tool,
  status: reply.ok ? 200 : 400,
  requestBody: shortenJson(args),
  responseBody: reply.ok ? shortenJson(reply.value) : reply.error.message.slice(0, logLimits.characters),
})
