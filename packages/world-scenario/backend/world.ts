/**
 * The world of a model (sandbox/world.ts): for each run its own predictor, in memory, which is reached only
 * through the connections handed to the run's channel.
 */
import type { ExecutionLimits, JsonValue } from '@stateeval/contracts'
import { isRecord } from '@stateeval/contracts'
import type { OpenWorld, SandboxWorld } from '@stateeval/sandbox'
import { InitialError } from '@stateeval/sandbox/initial-error'
import type { ModelCall, WorldModel } from '@stateeval/world-model'
import { listTools } from '../src/documentation.ts'
import { planScenario, type ScenarioPlan } from '../src/plan.ts'
import { ModelRun } from './run.ts'
import { createRunServer } from './server.ts'

/** More initial items than any program has. */
const maxCalls = 1000

/** @param id names the world in requests */
export function createModelWorld(model: WorldModel, id: string): SandboxWorld {
  const plan = planScenario(model)
  const tools = listTools(plan)
  return {
    id,
    tools: () => tools,
    // A fault of the initial items rejects.
    open: async (initial, limits, seed) => openRun(plan, readCalls(plan, initial), limits, seed),
    close: () => Promise.resolve(),
  }
}

function openRun(
  plan: ScenarioPlan,
  calls: readonly ModelCall[],
  limits: ExecutionLimits,
  seed: string,
): OpenWorld {
  const run = beginRun(plan, calls, limits, seed)
  const server = createRunServer(run)
  let isOver = false
  return {
    channel: {
      kind: 'http',
      accept: (connection) => void (isOver ? connection.destroy() : server.accept(connection)),
    },
    call: (tool, args) =>
      isOver ? Promise.reject(new Error('the run has ended')) : Promise.resolve(run.call(tool, args)),
    async observe() {
      await server.settle()
      return run.observe()
    },
    close() {
      isOver = true
      server.close()
      return Promise.resolve()
    },
  }
}

function beginRun(plan: ScenarioPlan, calls: readonly ModelCall[], limits: ExecutionLimits, seed: string) {
  try {
    return new ModelRun(plan, calls, { seed, limits })
  } catch (error) {
    if (error instanceof RangeError) throw new InitialError(`world.${error.message}`)
    throw error
  }
}

/** `{ calls: [{ operation, args }] }`; `{}` holds none. */
function readCalls({ byId }: ScenarioPlan, initial: JsonValue): ModelCall[] {
  const calls = isRecord(initial) ? (initial['calls'] ?? []) : undefined
  if (!Array.isArray(calls))
    throw new InitialError('world: give { "calls": [{ "operation", "args" }] }, or {} for none')
  if (calls.length > maxCalls) throw new InitialError(`world.calls: give at most ${maxCalls}`)
  return calls.map((call, at) => {
    const { operation, args } = isRecord(call) ? call : {}
    if (typeof operation !== 'string' || !byId.has(operation) || !isRecord(args))
      throw new InitialError(`world.calls[${at}]: give an operation of the model, and args as an object`)
    return { operation, args }
  })
}
