/** The MCP server on its own, over the transport that the settings name. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { standardLibrary } from '../values.ts'
import type { ElevenLabsMcpConfig } from './config.ts'
import { serveStudioHttp } from './http-server.ts'
import { createMcpServer } from './mcp-server.ts'
import { createStudio } from './studio.ts'

interface RunningMcpServer {
  /** Address of the server; null on stdio, where its output is the protocol's. */
  url: string | null
  /** Resolves when the one client of stdio has gone; never on HTTP. */
  end: Promise<void>
  stop(): Promise<void>
}

/** Resolves when clients can connect. */
export async function serveStudio({ transport, http }: ElevenLabsMcpConfig): Promise<RunningMcpServer> {
  const initial = { voices: standardLibrary }
  if (transport === 'http') {
    const server = await serveStudioHttp({ ...http, initial })
    return { url: server.url, end: new Promise(() => {}), stop: () => server.stop() }
  }
  const studio = createStudio(initial)
  const mcp = createMcpServer(() => studio)
  const end = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  await mcp.connect(new StdioServerTransport())
  return { url: null, end, stop: () => mcp.close() }
}
