/** A small valid program, for the examples of operations and for tests. */
import type { Program } from './program.ts'

/** One call, and its output as RESULT. */
export const exampleProgram = {
  schema: 1,
  id: '0'.repeat(64),
  scenario: 'session-service',
  variables: [],
  world: { items: [] },
  body: [
    {
      kind: 'http',
      api: 'listSessions',
      method: 'GET',
      path: '/api/sessions/{source}/{type}',
      args: { source: { kind: 'literal', value: 'web' }, type: { kind: 'literal', value: 'settings' } },
      binds: 'response_0',
    },
  ],
  result: [{ key: 'response_0', value: { kind: 'reference', variable: 'response_0', path: [] } }],
} satisfies Program

/** Its reference code in JavaScript. */
export const exampleCode =
  "const axios = require('axios');\n\nconst response_0 = (await axios.get(`${BASE_URL}/api/sessions/web/settings`)).data;\nRESULT = { response_0 };\n"
