/**
 * The process in which ONNX Runtime runs: a graph that crashes it takes nothing else along. See remote.ts.
 */
import { writeFileSync } from 'node:fs'
import type { GraphAnswer, GraphRequest } from './messages.ts'
import { createRuntime, providers } from './sessions.ts'

try {
  // Where memory ends, the kernel takes this process before the service.
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Not Linux, or not allowed.
}
// Signals to the service’s group are the service’s to handle: it ends this process when it is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => process.exit(0))

const tell = (answer: GraphAnswer) => process.send!(answer)
const runtime = await createRuntime()
process.on('message', ({ graph, wanted }: GraphRequest) => {
  runtime.run(graph, wanted).then(
    (values) => tell({ kind: 'values', values: [...values], counts: runtime.counts() }),
    (error: unknown) => tell({ kind: 'failed', message: String((error as Error).message).slice(0, 2000) }),
  )
})
tell({ kind: 'ready', providers: await providers() })
