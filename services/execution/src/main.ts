/** The process: settings → start → wait for a signal → stop. */
import './close-inherited.ts'
import { runService } from '@stateeval/service-kit'
import { execution } from './app.ts'

await runService(execution)
