/**
 * Answers executed in the real sandbox: what ends them, and that broken, endless, hostile and empty ones are
 * counted rightly.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { patience } from '@stateeval/testkit/patience'
import { getFirstAnswer, runEpisode, oneAnswer } from '@stateeval/program'
import { completeLimits, createSandbox, type LocalSandbox } from '@stateeval/sandbox'
import { createCaptureWorld } from '../capture-world.ts'
import { sampleBenchmark, sampleCases } from '../../test/sample.ts'
import { summaries } from '../../test/summary.ts'
import type { Score } from '@stateeval/contracts'

let sandbox: LocalSandbox
beforeAll(async () => {
  sandbox = await createSandbox({ level: 'warm-jail' })
})
afterAll(() => sandbox.close())

async function score(task: number, answer: string): Promise<Score> {
  const c = sampleCases[task]!
  const { candidate } = await runEpisode(
    sampleBenchmark.episode,
    c,
    { language: 'javascript', prompting: 'direct', documentation: 'none' },
    {
      reply: oneAnswer(answer),
      async execute({ code, inputs, limits = {} }) {
        const world = createCaptureWorld()
        const program = {
          language: 'javascript' as const,
          code,
          inputs,
          world,
          limits: completeLimits({ ...limits, wallMs: patience(1_500) }),
        }
        return { observations: await sandbox.run(program, new AbortController().signal), runtime: 'r' }
      },
    },
  )
  return sampleBenchmark.score({ case: c, candidate })
}

const S = 'https://api.library.example/v2'
const T = `headers: { Authorization: 'Bearer <token>' }`
const B = `{ title: 'Moby Dick', pages: 635, available: true }`
test.each<[string, number, string, string, string]>([
  [
    'as it should be',
    2,
    `axios.post('${S}/books', ${B}, { ${T} }).then((r) => r.data.id);`,
    'correct',
    'correct',
  ],
  [
    'a multipart form',
    13,
    getFirstAnswer(sampleBenchmark.player(sampleCases[13]!, { prompting: 'direct' }))!,
    'correct',
    'correct',
  ],
  [
    'a token from the environment',
    4,
    `axios.get('${S}/books/b17', { headers: { Authorization: \`Bearer \${process.env.TOKEN}\` } });`,
    'wrong incorrect/headers',
    'wrong incorrect/headers',
  ],
  [
    'a promise that is rejected',
    2,
    `axios.post('${S}/books', { toJSON() { throw new Error('no') } }, { ${T} });`,
    'runtime_error',
    'runtime_error',
  ],
  [
    'a body that can’t be JSON',
    2,
    `axios.post('${S}/books', { pages: 1n }, { ${T} });`,
    'runtime_error',
    'runtime_error',
  ],
  [
    'an import',
    2,
    `import axios from 'axios';\n\nconst { data } = await axios.post('${S}/books', ${B}, { ${T} });\nconsole.log(data);`,
    'correct',
    'correct',
  ],
  [
    'a wrapper that is only exported',
    2,
    `export default async () => {\n  return axios.post('${S}/books', ${B}, { ${T} });\n}`,
    'correct',
    'correct',
  ],
  [
    'methods that are only exported',
    2,
    `module.exports = {\n  async add() {\n    return axios.post('${S}/books', ${B}, { ${T} });\n  },\n};`,
    'correct',
    'correct',
  ],
  [
    'a prototype in the URL',
    4,
    `axios.get('${S}/books/b17?__proto__[error]=TIMEOUT', { ${T} });`,
    'illegal illegal/params',
    'illegal illegal/params',
  ],
  ['endless', 2, `axios.get((() => { for (;;); })());`, 'runtime_error', 'timeout'],
  ['hostile', 2, `axios.constructor.constructor('return process')().exit(0);`, 'vanished', 'no_request'],
  [
    'it forges its own capture',
    2,
    `axios.defaults.adapter = async () => ({ status: 200 });\naxios.post('${S}/books', ${B}, { ${T} });`,
    'vanished',
    'no_request',
  ],
  ['nothing that runs', 2, 'axios.', 'incomplete_request', 'incomplete_request'],
])('%s', async (_, task, answer, published, sound) => {
  const outcome = await score(task, answer)
  expect({
    ...summaries(outcome),
    says: outcome.evidence.differences.map(({ says }) => says).slice(0, 2),
  }).toMatchObject({ published, sound })
})
