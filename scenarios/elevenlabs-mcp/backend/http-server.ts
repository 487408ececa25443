/** Streamable HTTP: each MCP session has its own studio, so clients never meet. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createMcpServer } from './mcp-server.ts'
import { createStudio } from './studio.ts'

interface HttpServerOptions {
  host: string
  /** 0 takes a free one. */
  port: number
  /** The library of a new session's studio. */
  initial: unknown
  /** Sessions that are open at once; the one that was quiet longest makes room for a new one. */
  sessions?: number
}
export interface RunningHttpServer {
  /** Address of the MCP endpoint. */
  url: string
  stop(): Promise<void>
}

interface HttpSession {
  transport: StreamableHTTPServerTransport
  close(): Promise<void>
}

const endpoint = '/mcp'
const maxBytes = 4 * 1024 * 1024

/** Resolves when it listens. */
export async function serveStudioHttp({
  host,
  port,
  initial,
  sessions: maxSessions = 200,
}: HttpServerOptions): Promise<RunningHttpServer> {
  const sessions = new Map<string, HttpSession>()
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  )

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/health/live') return sendReply(response, 200, { status: 'ok' })
    if (url.pathname !== endpoint)
      return sendReply(response, 404, {
        error: `there is nothing at ${url.pathname}; MCP clients connect to ${endpoint}`,
      })
    // A page of another site that a browser shows must not reach a server on this machine.
    if (!isAllowedOrigin(request))
      return sendReply(response, 403, { error: 'requests of other origins are refused' })
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? sessions.get(id) : undefined
    if (session && typeof id === 'string') {
      sessions.delete(id)
      sessions.set(id, session)
      return session.transport.handleRequest(request, response)
    }
    if (id !== undefined)
      return sendReply(response, 404, { error: 'there is no such session; initialize a new one' })
    const { transport } = await open()
    await transport.handleRequest(request, response)
    if (transport.sessionId === undefined) await transport.close()
  }

  async function open(): Promise<HttpSession> {
    const studio = createStudio(initial)
    const mcp = createMcpServer(() => studio)
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: maxBytes,
      onsessioninitialized: (id) => {
        sessions.set(id, session)
        const [oldest] = sessions.keys()
        if (sessions.size > maxSessions && oldest !== undefined) void sessions.get(oldest)?.close()
      },
      onsessionclosed: (id) => void sessions.delete(id),
    })
    const session = { transport, close: () => mcp.close() }
    await mcp.connect(transport)
    const closed = transport.onclose
    transport.onclose = () => {
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId)
      closed?.()
    }
    return session
  }

  await startListening(server, host, port)
  const { port: boundPort } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}${endpoint}`,
    async stop() {
      await Promise.all([...sessions.values()].map((session) => session.close()))
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/**
 * Whoever owns a name may have it lead here, and their page is then of the same origin: only addresses are
 * taken at their word.
 */
function isAllowedOrigin({ headers: { origin, host } }: IncomingMessage): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const { host: from, hostname } = new URL(origin)
  return from === host && (hostname === 'localhost' || isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0)
}

function sendReply(response: ServerResponse, status: number, body: object) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const startListening = (server: Server, host: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
