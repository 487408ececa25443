/**
 * The process in which ONNX Runtime runs: a graph that crashes it takes nothing else along. See remote.ts.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { summarize } from '@stateeval/program'
import type { ComputedValue, GraphAnswer, GraphRequest } from './messages.ts'
import { type GraphProvider, hasOutOfMemoryWords } from './provider.ts'
import { findProviderFault } from './self-test.ts'
import { createRuntime } from './sessions.ts'

try {
  // If memory runs out, the kernel takes this process before the service.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not Linux, or not allowed.
}
// Signals to the service’s group are the service’s to handle: it ends this process when it is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit(0))

const sendAnswer = (answer: GraphAnswer) => process.send!(answer)

/** Shared libraries that are loaded. */
function listLoadedLibraries(): Set<string> {
  try {
    const lines = readFileSync('/proc/self/maps', 'utf8').split('\n')
    const paths = lines.map((line) => line.slice(line.indexOf('/')))
    return new Set(paths.filter((path) => path.includes('.so')))
  } catch {
    return new Set()
  }
}

/**
 * Providers to try come as arguments: a driver may end this process, so the result of each is sent at once.
 */
for (const provider of process.argv.slice(2) as GraphProvider[]) {
  const before = listLoadedLibraries()
  const problem = await findProviderFault(provider)
  sendAnswer({
    kind: 'tried',
    provider,
    problem,
    libraries: [...listLoadedLibraries()].filter((path) => !before.has(path)),
  })
}

const runtime = createRuntime()
process.on('message', ({ graph, outputs, provider, summarized }: GraphRequest) => {
  runtime.run(graph, outputs, provider).then(
    ({ values, operations, copies }) => {
      const [large, small] = [true, false].map((isLarge) =>
        [...values].filter(([place]) => summarized.includes(place) === isLarge),
      ) as [[number, ComputedValue][], [number, ComputedValue][]]
      sendAnswer({
        kind: 'values',
        values: small,
        summaries: large.map(([place, { dtype, bytes }]) => [place, summarize(dtype, bytes)]),
        operations,
        copies,
        counts: runtime.counts(),
      })
    },
    (error: unknown) => {
      const message = String((error as Error).message)
      sendAnswer({
        kind: 'failed',
        message: message.slice(0, 2000),
        outOfMemory: hasOutOfMemoryWords(message),
      })
    },
  )
})
sendAnswer({ kind: 'ready' })
