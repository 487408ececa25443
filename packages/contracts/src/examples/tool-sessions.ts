/** A session: opened, called, closed. Recorded, with one of its tools. */
import type { CallToolSession, LoggedToolCall, OpenToolSession, ToolSession } from '../tool-session.ts'
import type { ExecutionResult } from '../execution.ts'

export const exampleOpen: OpenToolSession = {
  world: 'session-service',
  input: { variables: {}, world: { items: [] } },
}

const self = '/v1/sessions/ses_0mwrxu3up1c5f25d786'
const seed = '5f2c8a41d6e07b93c1a4f8e2b07d3659'
export const exampleSession: ToolSession = {
  id: 'ses_0mwrxu3up1c5f25d786',
  world: 'session-service',
  status: 'open',
  calls: 0,
  createdAt: '2026-11-23T18:40:02.617Z',
  seed,
  variables: {},
  tools: [
    {
      name: 'listSessions',
      description: 'List the sessions of a source and type.',
      parameters: {
        type: 'object',
        properties: { source: { type: 'string' }, type: { type: 'string' } },
        required: ['source', 'type'],
        additionalProperties: false,
      },
    },
  ],
  links: { self, calls: `${self}/calls`, close: `${self}/close` },
}

const addSessionCall = {
  name: 'addSession',
  arguments: '{"source":"web","type":"settings","data":{"theme":"dark"}}',
}
const id = '70e8c03f2b61d94ab57f0e13'
export const exampleCalls: CallToolSession = { index: 0, calls: [{ id: 'call_1', ...addSessionCall }] }
export const exampleResults = { results: [{ id: 'call_1', content: `{"id":"${id}"}` }] }
export const exampleLogged: LoggedToolCall = {
  index: 0,
  ...addSessionCall,
  reply: { content: `{"id":"${id}"}` },
}

export const exampleClosed: ExecutionResult = {
  observations: [
    {
      ending: { status: 'completed', result: { added: 1 } },
      world: {
        state: { items: [{ id, source: 'web', type: 'settings', data: { theme: 'dark' } }] },
        ids: { initial: [], created: [id] },
        gone: [],
      },
      log: [
        {
          method: 'POST',
          path: '/api/sessions/web/settings',
          status: 200,
          requestBody: '{"theme":"dark"}',
          responseBody: `{"id":"${id}"}`,
        },
      ],
      output: '',
      faults: [],
      wallMs: 6.4,
      sandbox: 'none',
      seed,
    },
  ],
  runtime: 'warm-jail node v24.21.0 axios 1.21.1 96e65bfd4a8ebc22 linux-x64',
}
