/**
 * One run's studio: the library and the calls placed, changed by the scenario's own transitions, each of
 * which is recorded.
 */
import type { JsonValue, JsonObject, WorldState } from '@stateeval/contracts'
import { cloneJson } from '@stateeval/program'
import { applyTool } from '../apply.ts'
import { observeStudio, openStudio, type StudioWorld } from '../state.ts'
import { toolNames, type ToolName } from '../tools.ts'
import { readInitial } from './initial.ts'

/** The answer of a tool: a value, null for nothing, or why it refused. */
type ToolAnswer = { ok: true; value: JsonValue } | { ok: false; message: string }

/** A call of a tool and what followed, as the backend recorded it. */
interface RecordedCall {
  /** From 1. */
  number: number
  tool: string
  arguments: JsonValue
  ok: boolean
  /** The output, or why it was refused. */
  gave: JsonValue
  /** How many phone calls had been placed once it was done. */
  callsPlaced: number
}

export interface StudioServer {
  /** Never throws for what the arguments hold; what is refused changes nothing. */
  call(tool: string, args: JsonValue): ToolAnswer
  world(): WorldState
  voices(): JsonValue
  /** The newest transitions, oldest first. */
  transitions(): readonly RecordedCall[]
  /** Resets the studio to its beginning, or to one with another library. Throws an InitialError. */
  reset(initial?: unknown): void
}

/** Phone calls and records that a studio keeps: one that is never reset must not grow for ever. */
const max = { calls: 10_000, transitions: 10_000 } as const

/** Opens a studio. Throws an InitialError where `initial` describes none. */
export function createStudio(initial: unknown): StudioServer {
  let start = readInitial(initial)
  let world: StudioWorld = openStudio(start)
  let transitions: RecordedCall[] = []
  let number = 0
  const record = (tool: string, args: JsonValue, answer: ToolAnswer): ToolAnswer => {
    const gave = answer.ok ? answer.value : answer.message
    transitions.push({
      number: ++number,
      tool,
      arguments: args,
      ok: answer.ok,
      gave,
      callsPlaced: world.calls.length,
    })
    if (transitions.length > 2 * max.transitions) transitions = transitions.slice(-max.transitions)
    return answer
  }
  const refused = (message: string): ToolAnswer => ({ ok: false, message })
  return {
    call(tool, args) {
      if (!isTool(tool))
        return record(
          tool,
          args,
          refused(
            `there is no tool ${JSON.stringify(tool).slice(0, 60)}; available: ${toolNames.join(', ')}`,
          ),
        )
      if (world.calls.length >= max.calls) return record(tool, args, refused('the studio is full: reset it'))
      // The studio never shares values with callers, so it clones them.
      const transition = applyTool(tool, world, cloneJson(args))
      if (!transition.ok) return record(tool, args, refused(transition.error.message))
      world = transition.world
      return record(tool, args, { ok: true, value: cloneJson(transition.output ?? null) })
    },
    world: () => observeStudio(world),
    voices: () => world.voices.map((voice): JsonObject => ({ ...voice })),
    transitions: () => transitions.slice(-max.transitions),
    reset(next) {
      if (next !== undefined) start = readInitial(next)
      world = openStudio(start)
      transitions = []
      number = 0
    },
  }
}

const isTool = (name: string): name is ToolName => (toolNames as string[]).includes(name)
