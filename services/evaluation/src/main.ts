/** The process: settings → start → wait for a signal → stop. */
import '@stateeval/service-kit/small-heap'
import { runService } from '@stateeval/service-kit'
import { evaluation } from './app.ts'

await runService(evaluation)
