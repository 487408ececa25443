/**
 * The world of tensor-operation (sandbox/world.ts): nothing but numbers, computed by ONNX Runtime for
 * programs in JavaScript.
 */
import { type Json, type LoggedRequest, isRecord } from '@stateeval/contracts'
import type { CallReply, OpenWorld, World } from '@stateeval/sandbox'
import { base64 } from '@stateeval/program'
import { InitialError } from '@stateeval/sandbox/initial-error'
import { bounds, checkGraph, type CheckedGraph, count, GraphError, sizes, type Value } from './graph/check.ts'
import { createRemoteRuntime, type RemoteRuntime } from './graph/remote.ts'
import type { Runtime } from './graph/sessions.ts'
import type { GraphReply } from './graph/wire.ts'
import { surface } from './surface.ts'

export interface TensorWorld extends World {
  executionProviders(this: void): Promise<readonly string[]>
  graphCounts(this: void): { graphs: number; created: number; reused: number }
  /** The processes of ONNX Runtime that there are now. */
  pids(this: void): readonly number[]
}

const maxLogged = 200
type Computed = Value & { bytes: Uint8Array }

/** Opens nothing before the first run. */
export function createTensorWorld(): TensorWorld {
  let runtime: Promise<RemoteRuntime> | undefined
  let running: RemoteRuntime | undefined
  let graphs = 0
  let last = { created: 0, reused: 0 }
  /** What can’t start now may start the next time. */
  const start = () => {
    if (runtime) return runtime
    const starting = createRemoteRuntime()
    starting.catch(() => (runtime = undefined))
    return (runtime = starting)
  }
  return {
    id: 'tensor-operation',
    preloads: { python: ['torch'] },
    executionProviders: async () => (await start()).providers,
    graphCounts: () => ({ graphs, ...last }),
    pids: () => running?.pids() ?? [],
    async open(initial, limits) {
      mustBeInitial(initial)
      running = await start()
      return openWorld(running, limits.resultKiB * 1024, () => {
        graphs++
        last = running!.counts()
      })
    },
    async close() {
      const open = runtime
      runtime = undefined
      await (await open?.catch(() => undefined))?.close()
    },
  }
}

function mustBeInitial(initial: Json) {
  if (!isRecord(initial)) throw new InitialError('world: give an object; {} is enough')
  const { elements } = initial as { elements?: unknown }
  if (elements !== undefined && !(Number.isSafeInteger(elements) && (elements as number) > 0))
    throw new InitialError('world.elements: give the most elements that a tensor may have, an integer from 1')
}

function openWorld(runtime: Runtime, answerBytes: number, ran: () => void): OpenWorld {
  const log: LoggedRequest[] = []
  /** The graph before: one at a time, so that a run holds the memory of one. */
  let before: Promise<unknown> = Promise.resolve()
  const keptTensors = new Map<number, Computed>()
  let keptBytes = 0

  async function run(args: Json): Promise<Json> {
    const graph = checkGraph(args, keptTensors)
    mustFit(graph, answerBytes)
    const values = await runtime.run(graph, [...graph.outputs, ...graph.keep.map(([place]) => place)])
    for (const [place, number] of graph.keep) {
      const value = values.get(place)!
      keptBytes += value.bytes.length
      if (keptBytes > bounds.keptBytes)
        throw new GraphError(`the run has computed more than ${bounds.keptBytes} bytes in between`)
      keptTensors.set(number, value)
    }
    ran()
    const reply: GraphReply = {
      provider: runtime.provider,
      outputs: graph.outputs.map((place) => {
        const { dtype, shape, bytes } = values.get(place)!
        return { dtype, shape: [...shape], data: base64(bytes) }
      }),
    }
    if (log.length < maxLogged)
      log.push({
        method: 'CALL',
        path: 'run',
        status: 200,
        responseBody: JSON.stringify({
          provider: runtime.provider,
          operations: graph.nodes.filter(({ bytes }) => !bytes).length,
        }),
      })
    return reply
  }

  return {
    channel: {
      kind: 'calls',
      surface: surface(),
      async handle(name, args): Promise<CallReply> {
        if (name !== 'run') return refused(`there is no function ${name.slice(0, 50)}`)
        const work = before.then(() => run(args))
        before = work.catch(() => {})
        try {
          return { ok: true, value: await work }
        } catch (error) {
          if (error instanceof GraphError) return refused(error.message)
          // Which values are divided by shows only here; torch asks before, other code may not.
          if (/Integer (division|modulo) by zero/.test((error as Error).message))
            return refused('ZeroDivisionError')
          throw error
        }
      },
    },
    observe: () =>
      Promise.resolve({
        world: { state: {}, ids: { initial: [], created: [] }, gone: [] },
        log: [...log],
        faults: [],
      }),
    close: () => {
      keptTensors.clear()
      return Promise.resolve()
    },
  }
}

/** The same value may be asked for many times: what all of them take is known before anything is computed. */
function mustFit({ nodes, outputs }: CheckedGraph, maxBytes: number) {
  let bytes = 0
  for (const place of outputs) bytes += base64Length(nodes[place]!) + overheadOfOutput
  if (bytes > maxBytes)
    throw new GraphError(`the answer would be longer than ${Math.floor(maxBytes / 1024)} KiB`)
}
/** Type, shape, names of the fields: at least. */
const overheadOfOutput = 32
const base64Length = ({ shape, dtype }: Value) => Math.ceil((count(shape) * sizes[dtype]) / 3) * 4

const refused = (message: string): CallReply => ({ ok: false, error: { name: 'RuntimeError', message } })
