/** The process: settings → start → wait for a signal → stop. */
import { setFlagsFromString } from 'node:v8'
import { runService } from '@stateeval/service-kit'
import { evaluation } from './app.ts'

// Where a machine has much memory, V8 takes some of it rather than collect: three times of what is needed here, for an
// eighth less processor time. Young objects keep the room that starting took, old ones get a third more than they fill.
setFlagsFromString('--semi-space-growth-factor=1')
setFlagsFromString('--heap-growing-percent=30')
await runService(evaluation)
