/**
 * A world of functions for tests: they echo, fail, wait and answer much; its surface hands the host’s
 * functions on as they are.
 */
import type { JsonValue, Language, ExecutionLimits, LoggedRequest } from '@stateeval/contracts'
import type { CallReply, SandboxWorld } from '@stateeval/sandbox'

const javascript = {
  source: `
exports.surface = (host) => ({
  globals: { call: host.call, callSync: host.callSync, echo: (value) => host.call('echo', value) },
  modules: { tools: { echo: (value) => host.call('echo', value), version: 1 } },
  decode: (value) => (value && value.$boxed !== undefined ? { boxed: value.$boxed } : value),
  encode: (value) => (value && value.boxed !== undefined ? { $boxed: value.boxed, seen: host.callSync('echo', 1) } : value),
})`,
}
const python = {
  source: `
import types

class Boxed:
    def __init__(self, value):
        self.value = value

def surface(host):
    tools = types.ModuleType("tools")
    tools.echo = lambda value: host.call("echo", value)
    tools.version = 1
    return {
        "globals": {"call": host.call, "call_sync": host.callSync, "echo": tools.echo, "Boxed": Boxed},
        "modules": {"tools": tools},
        "decode": lambda value: Boxed(value["$boxed"]) if isinstance(value, dict) and "$boxed" in value else value,
        "encode": lambda value: {"$boxed": value.value, "seen": host.callSync("echo", 1)} if isinstance(value, Boxed) else value,
    }
`,
}

/**
 * Functions: echo, fail {name, message}, wait (milliseconds), long (how many characters), broken (the world’s
 * own fault).
 */
export function createCallsWorld(): SandboxWorld & { opened(): number; limits: ExecutionLimits | undefined } {
  let open = 0
  const world = {
    id: 'fake-calls',
    limits: undefined as ExecutionLimits | undefined,
    opened: () => open,
    open(_: JsonValue, limits: ExecutionLimits) {
      open++
      world.limits = limits
      const log: LoggedRequest[] = []
      return Promise.resolve({
        channel: {
          kind: 'calls' as const,
          surface: { javascript, python },
          async handle(name: string, args: JsonValue): Promise<CallReply> {
            const reply = await answer(name, args)
            log.push({ method: 'CALL', path: name, status: reply.ok ? 200 : 400 })
            return reply
          },
        },
        observe: () =>
          Promise.resolve({
            world: { state: {}, ids: { initial: [], created: [] }, gone: [] },
            log,
            faults: [],
          }),
        close: () => Promise.resolve(void open--),
      })
    },
    close: () => Promise.resolve(),
  }
  return world
}

async function answer(name: string, args: JsonValue): Promise<CallReply> {
  switch (name) {
    case 'echo':
      return { ok: true, value: args }
    case 'wait':
      await new Promise((resolve) => setTimeout(resolve, Number(args)))
      return { ok: true, value: args }
    case 'long':
      return { ok: true, value: 'x'.repeat(Number(args)) }
    case 'fail':
      return { ok: false, error: args as { name: string; message: string } }
    case 'broken':
      throw new Error('it broke')
    default:
      return { ok: false, error: { name: 'ReferenceError', message: `There is no function ${name}` } }
  }
}

/** One program in two languages. */
export type Both = Record<Language, string>
