/** The process: settings → start → wait for a signal → stop. */
import './heap.ts'
import { runService } from '@stateeval/service-kit'
import { evaluation } from './app.ts'

await runService(evaluation)
