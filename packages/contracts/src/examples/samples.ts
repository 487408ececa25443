/** The failed sample of the examples, as a row and with all evidence for its verdict. */
import type { SampleDetail, SampleTable } from '../evaluation/index.ts'
import { failedSample } from './evaluations.ts'

export const exampleTable: SampleTable = {
  ended: 2,
  total: 1,
  items: [
    {
      place: 0,
      case: failedSample.case,
      sample: 0,
      group: 'session-service',
      passed: false,
      verdict: 'result_error',
      cause: 'instruction_not_followed',
      says: 'RESULT has no "listing"',
    },
  ],
  verdicts: { passed: 1, result_error: 1 },
  causes: { instruction_not_followed: 1 },
  groups: { 'session-service': 2 },
}

const item = {
  data: { theme: 'dark' },
  id: '60c6d834261cba1c81a6116f',
  source: 'portal',
  type: 'settings',
}
const shownItem = { ...item, id: '<id 1 (initial)>' }
const world = {
  state: { items: [item] },
  ids: { initial: [item.id], created: [] },
  gone: [],
}
const code =
  'const { data: listing } = await axios.get(`${BASE_URL}/api/sessions/portal/settings`);\nRESULT = { list: listing };'
const observed = {
  world,
  log: [{ method: 'GET', path: '/api/sessions/portal/settings', status: 200 }],
  output: '',
  faults: [],
  wallMs: 12,
  sandbox: 'warm-jail',
}

export const exampleSample: SampleDetail = {
  place: 0,
  samples: 2,
  scored: failedSample,
  candidate: {
    said: {
      kind: 'program',
      attempts: [{ message: 1, readings: [{ policy: null, code, run: 0 }] }],
    },
    transcripts: [
      {
        role: 'model',
        messages: [
          { role: 'user', content: 'Write one JavaScript program that lists the sessions of portal.' },
          { role: 'assistant', content: `\`\`\`javascript\n${code}\n\`\`\``, finish: 'stop' },
        ],
      },
    ],
    runs: [
      {
        observations: [{ ending: { status: 'completed', result: { list: [item] } }, ...observed }],
        runtime: 'warm-jail node v24.21.0',
      },
    ],
    consultations: [],
  },
  expected: [{ ending: { status: 'completed', result: { listing: [item] } }, ...observed }],
  paired: [
    [
      {
        calls: [
          {
            expected: 'listSessions(source: "portal", type: "settings")',
            found: 'listSessions(source: "portal", type: "setting")',
            status: 200,
            arguments: ['type'],
            says: 'the argument type of listSessions is another one',
          },
        ],
        parts: [
          {
            where: 'RESULT',
            pairs: [
              {
                name: 'RESULT',
                expected: { listing: [shownItem] },
                found: { list: [shownItem] },
                equal: false,
                says: ['RESULT has no "listing"', 'RESULT has "list", which is not expected'],
              },
            ],
          },
          {
            where: 'state.items',
            pairs: [{ name: 'the session', expected: shownItem, found: shownItem, equal: true, says: [] }],
          },
        ],
      },
    ],
  ],
}
