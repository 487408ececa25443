/**
 * The process: settings → start → wait for a signal → stop. `npx stateeval serve session-service` runs it.
 */
import { waitForSignal, startOrComplain } from '@stateeval/service-kit'
import { readConfig } from './config.ts'
import { serveSessions } from './serve.ts'

const service = await startOrComplain('session-service', async () => serveSessions(readConfig(process.env)))
await waitForSignal()
await service.stop()
