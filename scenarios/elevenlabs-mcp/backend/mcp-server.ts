/**
 * A studio as an MCP server: six tools, what it recorded as resources, and the request `studio/reset`. Tools
 * that refuse answer with isError and the reason; a tool that there is not is an error of the protocol.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { JsonValue } from '@stateeval/contracts'
import { InitialError } from '@stateeval/sandbox/initial-error'
import { buildToolSchema, toolNames, tools } from '../tools.ts'
import type { StudioServer } from './studio.ts'

const instructions =
  'Values are told apart by their modality (speech, text, voice). Tools never change what they are given; pass on what they give. Read studio://calls to see the phone calls placed, and send studio/reset to begin anew.'

/** Resources of a studio that clients can read. */
const resources = {
  'studio://calls': {
    name: 'calls',
    description: 'The phone calls placed, each with its speech',
    read: (studio: StudioServer) => studio.world().state,
  },
  'studio://voices': {
    name: 'voices',
    description: 'The voice library',
    read: (studio: StudioServer) => studio.voices(),
  },
  'studio://transitions': {
    name: 'transitions',
    description: 'Every tool call so far and what followed',
    read: (studio: StudioServer) => studio.transitions(),
  },
} as const
const isResource = (uri: string): uri is keyof typeof resources => Object.hasOwn(resources, uri)

/** The list of tools, as clients see it. */
const toolList = toolNames.map((name) => ({
  name,
  description: tools[name].about,
  inputSchema: buildToolSchema(tools[name]),
  annotations: {
    readOnlyHint: name !== 'make_outbound_call',
    destructiveHint: name === 'make_outbound_call',
    openWorldHint: false,
  },
}))

/** Connect it to a transport. `studio` gives the one that a request is for. */
export function createMcpServer(studio: () => StudioServer): McpServer {
  const mcp = new McpServer(
    { name: 'stateeval-elevenlabs-mcp', version: '1' },
    { capabilities: { tools: {}, resources: {} }, instructions },
  )
  const { server } = mcp
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolList }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }): CallToolResult => {
    if (!(toolNames as string[]).includes(params.name))
      throw new McpError(
        ErrorCode.InvalidParams,
        `there is no tool ${params.name}; available: ${toolNames.join(', ')}`,
      )
    return callStudioTool(studio(), params.name, (params.arguments ?? {}) as JsonValue)
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: Object.entries(resources).map(([uri, { name, description }]) => ({
      uri,
      name,
      description,
      mimeType: 'application/json',
    })),
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    if (!isResource(uri))
      throw new McpError(
        ErrorCode.InvalidParams,
        `there is no resource ${uri}; available: ${Object.keys(resources).join(', ')}`,
      )
    return {
      contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(resources[uri].read(studio())) }],
    }
  })
  // The one request of our own: tools are the model's, and it should not reset.
  server.fallbackRequestHandler = ({ method, params }) => {
    if (method !== 'studio/reset')
      throw new McpError(ErrorCode.MethodNotFound, `there is no method ${method}`)
    const { voices, _meta, ...others } = (params ?? {}) as { voices?: unknown; _meta?: unknown }
    const [unknown] = Object.keys(others)
    if (unknown !== undefined)
      throw new McpError(
        ErrorCode.InvalidParams,
        `studio/reset has no parameter ${JSON.stringify(unknown)}; it has voices`,
      )
    try {
      studio().reset(voices === undefined ? undefined : { voices })
    } catch (error) {
      if (error instanceof InitialError) throw new McpError(ErrorCode.InvalidParams, error.message)
      throw error
    }
    return Promise.resolve({})
  }
  return mcp
}

function callStudioTool(studio: StudioServer, name: string, args: JsonValue): CallToolResult {
  const answer = studio.call(name, args)
  if (!answer.ok) return { isError: true, content: [{ type: 'text', text: answer.message }] }
  return {
    content: [{ type: 'text', text: JSON.stringify(answer.value) }],
    structuredContent: { result: answer.value },
  }
}
