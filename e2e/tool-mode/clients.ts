/** Clients of MCP: the SDK's own for TypeScript, and the one for Python, which is another make. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { McpClient } from './agent.ts'

export async function sdkClient(url: string): Promise<McpClient & { close(): Promise<void> }> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return {
    async call(name, args) {
      const { content, isError } = await client.callTool({ name, arguments: args })
      return { text: (content as { text: string }[])[0]!.text, error: isError === true }
    },
    close: () => client.close(),
  }
}

interface PythonClient extends McpClient {
  /** What it saw first. */
  first: { tools: string[]; text: string }
  child: ChildProcess
}

/** `target`: a URL, or the command of a server over standard input and output. */
export async function pythonClient(python: string, target: readonly string[]): Promise<PythonClient> {
  const script = join(import.meta.dirname, '../../scripts/agents/solve.py')
  const child = spawn(python, [script, ...target], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Without it the child would not see what the test set.
    env: { ...process.env },
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error('the client for Python has ended')
    return JSON.parse(value) as unknown
  }
  return {
    first: (await next()) as PythonClient['first'],
    child,
    async call(name, args) {
      child.stdin.write(`${JSON.stringify({ name, arguments: args })}\n`)
      return (await next()) as { text: string; error: boolean }
    },
  }
}
