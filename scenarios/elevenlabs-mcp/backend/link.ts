/**
 * An MCP client and server that are joined in memory. Joining them takes 1 ms, a call 0.06 ms (the dispatcher
 * alone 0.01 ms), so links are kept from run to run; the studio behind one is made anew for each.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { type CallToolResult, ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { JsonValue } from '@stateeval/contracts'
import type { CallReply } from '@stateeval/sandbox'
import { createMcpServer } from './mcp-server.ts'
import type { StudioServer } from './studio.ts'

export interface StudioLink {
  /** Puts another studio behind the server. */
  serve(studio: StudioServer): void
  /** Calls a tool as any client does. Rejects only where the link itself fails. */
  call(tool: string, args: JsonValue): Promise<CallReply>
  close(): Promise<void>
}

const refuseToolCall = (message: string): CallReply => ({ ok: false, error: { name: 'ToolError', message } })

export async function createLink(): Promise<StudioLink> {
  let studio: StudioServer | undefined
  const mcp = createMcpServer(() => {
    if (!studio) throw new Error('no studio is served')
    return studio
  })
  const client = new Client({ name: 'stateeval-world', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([mcp.connect(theirs), client.connect(ours)])
  return {
    serve: (next) => void (studio = next),
    async call(tool, args) {
      if (args === null || typeof args !== 'object' || Array.isArray(args))
        return refuseToolCall(`${tool} takes its arguments by name, as an object`)
      try {
        return convertReply((await client.callTool({ name: tool, arguments: args })) as CallToolResult)
      } catch (error) {
        if (error instanceof McpError && error.code === (ErrorCode.InvalidParams as number))
          return refuseToolCall(error.message)
        throw error
      }
    },
    async close() {
      await client.close()
      await mcp.close()
    },
  }
}

function convertReply({ isError, content, structuredContent }: CallToolResult): CallReply {
  if (!isError) return { ok: true, value: structuredContent?.result as JsonValue }
  const [first] = content
  return refuseToolCall(first?.type === 'text' ? first.text : 'the tool failed')
}
