/** The process: settings → start → wait for a signal → stop. `npx stateeval serve session-service` runs it. */
import { SettingsError } from '@stateeval/service-kit'
import { readConfig } from './config.ts'
import { type RunningSessionService, serve } from './serve.ts'

async function start(): Promise<RunningSessionService> {
  try {
    return await serve(readConfig(process.env))
  } catch (error) {
    process.stderr.write(`session-service: ${remedy(error)}\n`)
    process.exit(2)
  }
}

function remedy(error: unknown): string {
  if (error instanceof SettingsError) return error.message
  if ((error as { code?: unknown }).code === 'EADDRINUSE') return 'the port is taken: set PORT to another one, or 0 for any'
  throw error
}

const service = await start()
await new Promise<void>((resolve) => {
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve())
})
await service.stop()
