/** Any MCP client: over HTTP and over stdio. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { once } from 'node:events'
import { request as send, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { type CallToolResult, EmptyResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { standardLibrary } from '../../values.ts'
import { type RunningHttpServer, serveStudioHttp } from '../http-server.ts'
import { toolNames } from '../../tools.ts'

const main = join(import.meta.dirname, '../main.ts')
const initial = { voices: standardLibrary }
let server: RunningHttpServer
beforeAll(async () => {
  server = await serveStudioHttp({ host: '127.0.0.1', port: 0, initial, sessions: 3 })
})
afterAll(() => server.stop())

const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
const transports: Record<string, () => Transport> = {
  http: () => new StreamableHTTPClientTransport(new URL(server.url)),
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [main],
      env: { ...(env as Record<string, string>), MCP_TRANSPORT: 'stdio' },
    }),
}
async function connected(make: () => Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(make())
  return client
}
const call = async (client: Client, name: string, args: Record<string, unknown>) =>
  (await client.callTool({ name, arguments: args })) as CallToolResult
const read = async (client: Client, uri: string): Promise<unknown> => {
  const { contents } = await client.readResource({ uri })
  return JSON.parse((contents[0] as { text: string }).text)
}

describe.each(Object.entries(transports))('%s', (_, make) => {
  test('tools are listed with their parameters, called, recorded and reset', async () => {
    const client = await connected(make)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(toolNames)
    expect(tools[2]).toMatchObject({
      inputSchema: { required: ['input_speech', 'voice_name'], additionalProperties: false },
    })
    const speech = (await call(client, 'text_to_speech', { text: 'Good morning', voice_name: 'Edda' }))
      .structuredContent?.['result']
    expect(speech).toMatchObject({ modality: 'speech', voice_name: 'Edda' })
    expect(
      await call(client, 'make_outbound_call', { input_speech: speech, to_number: '+1' }),
    ).not.toHaveProperty('isError')
    expect(await call(client, 'text_to_speech', { txt: 'x' })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('no parameter "txt"') }],
    })
    await expect(call(client, 'rm', {})).rejects.toThrow('there is no tool rm')
    expect(await read(client, 'studio://calls')).toEqual({
      calls: [{ speech, voice_name: 'Edda', to_number: '+1' }],
    })
    expect(await read(client, 'studio://transitions')).toMatchObject([
      { number: 1, tool: 'text_to_speech', ok: true, callsPlaced: 0 },
      { number: 2, tool: 'make_outbound_call', ok: true, gave: null, callsPlaced: 1 },
      { number: 3, tool: 'text_to_speech', ok: false, callsPlaced: 1 },
    ])
    await client.request(
      {
        method: 'studio/reset',
        params: { voices: [{ voice_name: 'Zoe', category: 'news', gender: 'female' }] },
      },
      EmptyResultSchema,
    )
    expect(await read(client, 'studio://calls')).toEqual({ calls: [] })
    expect(await read(client, 'studio://voices')).toMatchObject([{ voice_name: 'Zoe' }])
    await expect(
      client.request({ method: 'studio/reset', params: { voices: 7 } }, EmptyResultSchema),
    ).rejects.toThrow('give { "voices"')
    await expect(
      client.request({ method: 'studio/reset', params: { voicez: [] } }, EmptyResultSchema),
    ).rejects.toThrow('no parameter "voicez"; it has voices')
    expect(await read(client, 'studio://voices')).toMatchObject([{ voice_name: 'Zoe' }])
    await expect(client.request({ method: 'studio/burn' }, EmptyResultSchema)).rejects.toThrow('no method')
    await client.close()
  })
})

test('sessions never meet, and the one that was quiet longest makes room', async () => {
  const clients = await Promise.all(Array.from({ length: 3 }, () => connected(transports['http']!)))
  const [first, second] = clients as [Client, Client]
  const speech = (await call(first, 'text_to_speech', { text: 'x y' })).structuredContent?.['result']
  await call(first, 'make_outbound_call', { input_speech: speech })
  expect(await read(second, 'studio://calls')).toEqual({ calls: [] })
  for (let n = 0; n < 3; n++) clients.push(await connected(transports['http']!))
  await expect(call(first, 'text_to_speech', { text: 'x' })).rejects.toThrow('no such session')
  await Promise.all(clients.map((client) => client.close()))
})

test('what is no MCP is answered and harms nobody', async () => {
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(server.url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
    })
  expect((await post('{{')).status).toBe(400)
  expect((await post('{}', { origin: 'http://evil.example' })).status).toBe(403)
  expect((await post('{}', { 'mcp-session-id': 'x' })).status).toBe(404)
  // A name that leads here makes its owner's page one of the same origin.
  const { port, host } = new URL(server.url)
  const named = async (name: string) => {
    const headers = { host: name, origin: `http://${name}`, 'content-type': 'application/json' }
    const [answer] = (await once(send(server.url, { method: 'POST', headers }).end('{}'), 'response')) as [
      IncomingMessage,
    ]
    return answer.resume().statusCode
  }
  expect(await named(`evil.example:${port}`)).toBe(403)
  expect(await named(host)).not.toBe(403)
  expect(await named(`localhost:${port}`)).not.toBe(403)
  expect((await post('x'.repeat(5_000_000))).status).toBe(413)
  expect((await fetch(new URL('/', server.url))).status).toBe(404)
  expect((await fetch(new URL('/health/live', server.url))).status).toBe(200)
  const client = await connected(transports['http']!)
  expect((await client.listTools()).tools).toHaveLength(6)
  await client.close()
})
