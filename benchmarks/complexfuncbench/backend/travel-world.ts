/**
 * The world `travel` for tool sessions: hotels, flights, cars, attractions and taxis with the functions of
 * the published catalogue, and functions that book. All of it is in ../travel, as values; here a session
 * holds one of them.
 */
import { toJson, type JsonObject, type LoggedRequest } from '@stateeval/contracts'
import type { OpenWorld, SandboxWorld } from '@stateeval/sandbox'
import { InitialError } from '@stateeval/sandbox/initial-error'
import { buildTravelTool } from '../travel/function.ts'
import { travelFunctions } from '../travel/functions.ts'
import { readInitial } from '../travel/initial.ts'
import { ask, openTravel, type TravelState } from '../travel/world.ts'

/** Limits of a log, and of each text in it. */
const max = { requests: 200, characters: 8192 }
const tools = travelFunctions.map(buildTravelTool)

/**
 * An initial world is { "seed" }, with { "hidden" } where entries are left out of its answers and
 * { "tokenLength" } where its tokens are long. Its ids come from that seed, so the session's own changes
 * nothing: what a dialogue leaves is compared with what the path leaves.
 */
export const createTravelWorld = (): SandboxWorld => ({
  id: 'travel',
  tools: () => tools,
  async open(initial) {
    const world = readInitial(initial)
    if ('fault' in world) throw new InitialError(world.fault)
    return openWorld(openTravel(world))
  },
  async close() {},
})

function openWorld(first: TravelState): OpenWorld {
  let state = first
  const log: LoggedRequest[] = []
  return {
    channel: { kind: 'none' },
    async call(tool, args) {
      const { body, ok, state: next } = ask(state, tool, args)
      state = next
      const content = JSON.stringify(body)
      if (log.length < max.requests) log.push(logTravelCall(tool, args, { ok, content }))
      return ok ? { content } : { content, error: true }
    },
    async observe() {
      const { bookings, heard } = state
      return {
        world: {
          state: toJson({ bookings, heard }),
          ids: { initial: [], created: bookings.map(({ reference }) => reference) },
          gone: [],
        },
        log: [...log],
        faults: [],
      }
    },
    async close() {},
  }
}

const logTravelCall = (
  tool: string,
  args: JsonObject,
  { ok, content }: { ok: boolean; content: string },
): LoggedRequest => ({
  method: 'CALL',
  path: tool,
  status: ok ? 200 : 400,
  requestBody: JSON.stringify(args).slice(0, max.characters),
  responseBody: content.slice(0, max.characters),
})
