/** A task as an MCP server, over Streamable HTTP or standard input and output. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { McpTask } from './task.ts'

/** For agents that are shown tools only. */
const readTask = {
  name: 'read_task',
  description:
    'Gives the task, how it is carried out, and the variables of the current input. Read it first.',
  inputSchema: { type: 'object' as const, properties: {}, additionalProperties: false },
}
const prompt = { name: 'task', description: 'The task with the variables of the current input' }

/** Connect it to a transport. */
function createMcpServer(task: McpTask): Server {
  const whole = () => `${task.rules}\n\n${task.text}`
  const server = new Server(
    { name: 'stateeval-task', version: '1' },
    {
      capabilities: { tools: {}, prompts: {} },
      instructions: `Read the task by the tool ${readTask.name}, or the prompt ${prompt.name}, and carry it out.`,
    },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      readTask,
      ...task.tools.map(({ name, description = '', parameters }) => ({
        name,
        description,
        inputSchema: { type: 'object' as const, ...parameters },
      })),
    ],
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }): Promise<CallToolResult> => {
    const { name, arguments: args = {} } = params
    const { content, error } = name === readTask.name ? { content: whole() } : await task.call(name, args)
    return { content: [{ type: 'text', text: content }], ...(error && { isError: true }) }
  })
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [prompt] }))
  server.setRequestHandler(GetPromptRequestSchema, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: whole() } }],
  }))
  return server
}

export interface RunningTask {
  /** Address of the server; null on stdio. */
  url: string | null
  /** Resolves when the client of stdio has gone; never on HTTP. */
  end: Promise<void>
  stop(): Promise<void>
}

export async function serveStdio(task: McpTask): Promise<RunningTask> {
  const server = createMcpServer(task)
  const end = new Promise<void>((resolve) => process.stdin.once('end', resolve).once('close', resolve))
  await server.connect(new StdioServerTransport())
  return { url: null, end, stop: () => server.close() }
}

const endpoint = '/mcp'
/** Sessions that are open at once; the one that was quiet longest makes room for a new one. */
const maxSessions = 20

/** All clients work on the same task. */
export async function serveMcpHttp(task: McpTask, port: number): Promise<RunningTask> {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const reply = (response: ServerResponse, status: number, error: string) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
  async function answer(request: IncomingMessage, response: ServerResponse) {
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== endpoint)
      return reply(response, 404, `MCP clients connect to ${endpoint}`)
    // A page that a browser shows must not reach a server on this machine.
    if (!isLocal(request)) return reply(response, 403, 'requests from other origins are refused')
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? sessions.get(id) : undefined
    if (session && typeof id === 'string') {
      sessions.delete(id)
      sessions.set(id, session)
      return session.handleRequest(request, response)
    }
    if (id !== undefined) return reply(response, 404, 'the session does not exist; initialize a new one')
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (name) => {
        sessions.set(name, transport)
        // Few clients say that they go. One that is still there gets a 404, and initializes a new session.
        const [oldest] = sessions
        if (sessions.size > maxSessions && oldest) {
          sessions.delete(oldest[0])
          void oldest[1].close()
        }
      },
      onsessionclosed: (name) => void sessions.delete(name),
    })
    await createMcpServer(task).connect(transport)
    await transport.handleRequest(request, response)
  }
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${bound}${endpoint}`,
    end: new Promise(() => {}),
    async stop() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()))
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Whoever owns a name may have it lead here: of origins, only addresses are taken at their word. */
function isLocal({ headers: { origin, host } }: IncomingMessage): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const { host: from, hostname } = new URL(origin)
  return from === host && (hostname === 'localhost' || isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0)
}
