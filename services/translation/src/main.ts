/** The process: settings → start → wait for a signal → stop. */
import { runService } from '@stateeval/service-kit'
import { translation } from './app.ts'

await runService(translation)
