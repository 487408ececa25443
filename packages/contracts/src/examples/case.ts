/** A minimal test case: one call, whose answer is RESULT. */
import type { Case } from '../case.ts'

/** Keys are in canonical order: its JSON is its line of cases.jsonl. */
export const exampleCase: Case = {
  flags: [],
  id: 'session-service-b7e6e072e94e',
  instruction:
    '1. List the sessions with the source and type of `user_variable_0`.\n2. Set RESULT to an object whose only key, `listing`, holds that listing.',
  metrics: { bindingCount: 0, codeTokens: 48, functionCalls: 1, instructionTokens: 35, pathDepth: 0 },
  oracles: [
    {
      input: {
        variables: { user_variable_0: { data: { title: 'Mine' }, source: 'portal', type: 'settings' } },
        world: { items: [{ data: { theme: 'dark' }, source: 'portal', type: 'settings' }] },
      },
      result: {
        listing: [
          { data: { theme: 'dark' }, id: '60c6d834261cba1c81a6116f', source: 'portal', type: 'settings' },
        ],
      },
      world: {
        gone: [],
        ids: { created: [], initial: ['60c6d834261cba1c81a6116f'] },
        state: {
          items: [
            { data: { theme: 'dark' }, id: '60c6d834261cba1c81a6116f', source: 'portal', type: 'settings' },
          ],
        },
      },
    },
  ],
  program: {
    body: [
      {
        api: 'listSessions',
        args: {
          source: { kind: 'reference', path: ['source'], variable: 'user_variable_0' },
          type: { kind: 'reference', path: ['type'], variable: 'user_variable_0' },
        },
        binds: 'response_0',
        kind: 'http',
        method: 'GET',
        path: '/api/sessions/{source}/{type}',
      },
    ],
    id: 'b7e6e072e94ed3282ccda1320fd7b00f5831f02bc7708258ed808c569c4cee6b',
    result: [{ key: 'listing', value: { kind: 'reference', path: [], variable: 'response_0' } }],
    scenario: 'session-service',
    schema: 1,
    variables: [
      {
        name: 'user_variable_0',
        role: 'user',
        values: [{ data: { title: 'Mine' }, source: 'portal', type: 'settings' }],
      },
    ],
    world: { items: [{ data: { theme: 'dark' }, source: 'portal', type: 'settings' }] },
  },
  scenario: 'session-service',
  variables: [{ name: 'user_variable_0', type: 'object' }],
  world: 'session-service',
}
