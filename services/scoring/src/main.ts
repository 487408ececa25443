/** The process: settings → start → wait for a signal → stop. */
import { runService } from '@stateeval/service-kit'
import { scoring } from './app.ts'

await runService(scoring)
