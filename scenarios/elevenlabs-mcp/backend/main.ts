/** The process: settings → start → wait for a signal → stop. `npx stateeval serve elevenlabs-mcp` runs it. */
import { waitForSignal, startOrComplain } from '@stateeval/service-kit'
import { readConfig } from './config.ts'
import { serveStudio } from './serve.ts'

const server = await startOrComplain('elevenlabs-mcp', async () => serveStudio(readConfig(process.env)))
if (server.url) process.stdout.write(`elevenlabs-mcp: MCP clients connect to ${server.url}\n`)
await Promise.race([waitForSignal(), server.end])
await server.stop()
