/** The process: settings → start → wait for a signal → stop. */
import '@stateeval/service-kit/small-heap'

// Imported later, as reading a thousand files would make the heap large before its bounds are set.
const { runService } = await import('@stateeval/service-kit')
const { evaluation } = await import('./app.ts')

await runService(evaluation)
