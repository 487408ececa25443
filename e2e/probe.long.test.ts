/**
 * Probes of models by command and over HTTP: what was found is stored by endpoint, shown, and noted by the
 * first evaluation of a model with prices.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Case, EvaluationResource, Model } from '@stateeval/contracts'
import {
  answerProbe,
  type CommandLine,
  type Script,
  type ScriptedModel,
  type ScriptedRequest,
  startCommandLine,
  startScriptedModel,
  stateeval,
} from '@stateeval/testkit'
import { callerAt, solver } from '../services/evaluation/test/over-http.ts'

let line: CommandLine
let set: string
let cases: Case[]
const caller = callerAt(() => line.suite.urls['evaluation']!)
const models: ScriptedModel[] = []
async function serve(rule: (request: ScriptedRequest) => Script): Promise<ScriptedModel> {
  const model = await startScriptedModel(rule)
  models.push(model)
  return model
}
/** Answers cases as a solver does, and the questions of a probe. */
const able = (request: ScriptedRequest): Script =>
  isOfCase(request) ? solver(cases)(request) : answerProbe(request)
const isOfCase = ({ messages }: ScriptedRequest) =>
  cases.some(({ instruction }) => messages.some(({ content }) => content.includes(instruction.trim())))
const said = (mark: string) => (request: ScriptedRequest) => {
  const script = able(request)
  return 'say' in script && !isOfCase(request) ? { ...script, say: `${script.say}${mark}` } : script
}
const modelNow = (name: string) => caller.get<Model>(`/v1/models/${name}`)
const evaluated = async (request: object): Promise<EvaluationResource> =>
  caller.ended((await caller.begin({ benchmark: set, ...request })).id)
const prices = { promptPerMillion: 100, completionPerMillion: 200 }

beforeAll(async () => {
  line = await startCommandLine()
  set = (await caller.importSample()).id
  cases = await caller.cases(set)
})
afterAll(async () => {
  await line?.stop()
  await Promise.all(models.map((model) => model.close()))
})

test('model NAME --probe says what is off and which option mends it; a change of the endpoint forgets it', async () => {
  const { baseUrl } = await serve(said('<|im_end|>'))
  const named = ['--base-url', baseUrl, '--model-id', 'tiny']
  expect((await stateeval('model', 'mine', ...named)).out).toContain('npx stateeval model mine --probe')
  const { code, out } = await stateeval('model', 'mine', '--probe')
  expect([code, out]).toEqual([0, expect.stringMatching(/stream usage +yes *\n/)])
  expect(out).toContain('- Your server leaves <|im_end|> in the text: add "stop": ["<|im_end|>"]')
  expect((await stateeval('model', 'mine')).out).toContain('Your server leaves <|im_end|>')
  const { value } = await stateeval('model', 'mine', '--json')
  expect(value.probe.findings).toContainEqual({ id: 'parallelCalls', found: 'yes' })
  // Other limits are no other endpoint; another model id is.
  await caller.model('mine', { baseUrl, model: 'tiny', concurrency: 2 })
  expect((await modelNow('mine')).probe).toEqual(value.probe)
  await caller.model('mine', { baseUrl, model: 'large' })
  expect(await modelNow('mine')).not.toHaveProperty('probe')
  await caller.model('mine', { baseUrl, model: 'tiny' })
  expect(await modelNow('mine')).not.toHaveProperty('probe')
  expect(await stateeval('model', 'reference', '--probe')).toMatchObject({ code: 2 })
})

test('an endpoint that does not answer has no findings, and the secret is in nothing that is said', async () => {
  process.env['STATEEVAL_KEY_PROBE'] = 'sk-probed'
  process.env['STATEEVAL_KEY_PROBE_HOSTS'] = '127.0.0.1:*'
  const { baseUrl } = await serve(() => ({ status: 401, message: 'wrong key sk-probed' }))
  await caller.model('locked', { baseUrl, model: 'x', keyEnv: 'STATEEVAL_KEY_PROBE' })
  const { status, text } = await caller.call('POST', '/v1/models/locked/probe')
  expect([status, text]).toEqual([422, expect.stringContaining('wrong key [key]')])
  expect(text).not.toContain('sk-probed')
  expect(await modelNow('locked')).not.toHaveProperty('probe')
  expect((await caller.call('POST', '/v1/models/nobody/probe')).status).toBe(404)
  await caller.model('vectors', { baseUrl, model: 'x', api: 'embeddings' })
  expect((await caller.call('POST', '/v1/models/vectors/probe')).status).toBe(422)
})

test('the first evaluation of a model with prices probes it, and pays for it from its budget', async () => {
  const { baseUrl, requests } = await serve(said('</s>'))
  await caller.model('paid', { baseUrl, model: 'x', prices })
  const first = await evaluated({ model: 'paid', budget: { usd: 1 } })
  expect(first).toMatchObject({
    status: 'succeeded',
    spent: { requests: cases.length },
    probe: {
      ...{ status: 'done', requests: 15, promptTokens: 150, costUsd: (150 * 100 + 75 * 200) / 1e6 },
      remedies: [expect.stringContaining('Your server leaves </s> in the text')],
    },
  })
  // Before the first question of a case.
  expect(requests.slice(0, 15).some(isOfCase)).toBe(false)
  expect(requests).toHaveLength(15 + cases.length)
  expect((await caller.report(first.id)).run.probe).toEqual(first.probe)
  const { out } = await stateeval('report', first.id)
  expect(out).toContain('The probe of paid found:\n- Your server leaves </s>')
  const again = await evaluated({ model: 'paid', fresh: true })
  expect(again).not.toHaveProperty('probe')
  expect(requests).toHaveLength(15 + 2 * cases.length)
})

test('it is refused, or wanted for a model without prices; what it used counts against the budget', async () => {
  const { baseUrl, requests } = await serve(able)
  await caller.model('refused', { baseUrl, model: 'a', prices })
  expect(await evaluated({ model: 'refused', probe: false })).not.toHaveProperty('probe')
  expect(requests).toHaveLength(cases.length)
  await caller.model('free', { baseUrl, model: 'b' })
  const free = await evaluated({ model: 'free', probe: true })
  expect(free.probe).toMatchObject({ status: 'done', requests: 15, costUsd: null })
  await caller.model('small', { baseUrl, model: 'c', concurrency: 1, prices })
  const poor = await evaluated({ model: 'small', budget: { tokens: 30 } })
  expect(poor).toMatchObject({ status: 'cancelled', error: expect.stringContaining('budget') })
  expect(poor.probe).toMatchObject({ status: 'done', requests: 2 })
  expect(requests.filter(({ model }) => model === 'c')).toHaveLength(2)
})

test('a failed probe is noted, and never stops an evaluation', async () => {
  const { baseUrl } = await serve((request) =>
    isOfCase(request) ? solver(cases)(request) : { status: 400, message: 'this model takes programs only' },
  )
  await caller.model('picky', { baseUrl, model: 'x', prices })
  const { out, err, code } = await stateeval('evaluate', '--benchmark', set, '--model', 'picky')
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('The probe of picky failed, and the evaluation continued'),
  ])
  expect(out + err).toContain('this model takes programs only')
})
