/** The process: settings → start → wait for a signal → stop. `npx stateeval serve elevenlabs-mcp` runs it. */
import { SettingsError } from '@stateeval/service-kit'
import { readConfig } from './config.ts'
import { type RunningMcpServer, serve } from './serve.ts'

async function start(): Promise<RunningMcpServer> {
  try {
    return await serve(readConfig(process.env))
  } catch (error) {
    process.stderr.write(`elevenlabs-mcp: ${remedy(error)}\n`)
    process.exit(2)
  }
}

function remedy(error: unknown): string {
  if (error instanceof SettingsError) return error.message
  if ((error as { code?: unknown }).code === 'EADDRINUSE') return 'the port is taken: set PORT to another one, or 0 for any'
  throw error
}

const server = await start()
if (server.url) process.stdout.write(`elevenlabs-mcp: MCP clients connect to ${server.url}\n`)
const signalled = new Promise<void>((resolve) => {
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve())
})
await Promise.race([signalled, server.ended])
await server.stop()
