/**
 * A build whose instructions two models negotiate, against a scripted endpoint over real HTTP: every ending,
 * then people's decisions.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { BenchmarkResource, Case, Generation, Program, Recording, Review } from '@stateeval/contracts'
import { emit } from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import {
  isLong,
  type Script,
  type ScriptedModel,
  type ScriptedRequest,
  type Servers,
  startScriptedModel,
  startServers,
  startSuite,
  type Suite,
  until,
} from '@stateeval/testkit'
import { translate } from '@stateeval/translate'
import { callerAt } from './over-http.ts'

let servers: Servers
let suite: Suite
let model: ScriptedModel
const others: ScriptedModel[] = []
const caller = callerAt(() => suite.urls['evaluation']!)
const scenario = scenarios[0]!
const build = {
  ...{ scenario: 'session-service', strategy: 'coverage', programs: 8, keep: 8, length: 3, seed: 11 },
  languages: ['javascript'],
}

/** What becomes of each program, by its place; what is not named here is agreed and proved. */
const courses = ['impossible', 'at odds', 'leak', 'vague', 'second round', 'second try'] as const
const programs: Program[] = []
const questionCounts: Record<string, number> = {}

const programIn = (text: string) =>
  programs.find((program) => text.includes((emit(program, 'javascript') ?? '').trim()))
const instructionFor = (program: Program) => {
  const translation = translate({ program, scenario, seed: 'agent' })
  if (translation.status !== 'verified') throw new Error(translation.reason)
  return translation.instruction
}
const courseOf = (program: Program) => courses[programs.indexOf(program)]
const valueIn = (program: Program) =>
  /"title":"([^"]+)"/.exec(JSON.stringify([program.variables, program.world]))?.[1] ?? 'none'

function play({ messages }: ScriptedRequest): Script {
  const text = messages[0]!.content
  const count = (key: string) => (questionCounts[key] = (questionCounts[key] ?? 0) + 1)
  if (text.startsWith('You write tasks')) {
    const program = programIn(text)!
    const instruction = instructionFor(program)
    count('generator')
    return {
      say: courseOf(program) === 'leak' ? `${instruction} Its title is "${valueIn(program)}".` : instruction,
    }
  }
  if (text.startsWith('You judge')) {
    const program = programIn(text)!
    const course = courseOf(program)
    const n = count(`evaluator/${program.id}`)
    if (course === 'impossible') return { say: 'No developer would ask this.\n<IMPOSSIBLE>' }
    if (course === 'at odds' || (course === 'second round' && n === 1))
      return { say: `Say more plainly what the ${n}. step does.` }
    return { say: '<OK>' }
  }
  const program = programs.find((one) => text.includes(instructionFor(one)))!
  const course = courseOf(program)
  const n = count(`coder/${program.id}`)
  if (course === 'vague' || (course === 'second try' && n === 1))
    return { say: n === 1 ? '```javascript\nRESULT = {}\n```' : 'I can’t.' }
  return { say: `\`\`\`javascript\n${emit(program, 'javascript')}\n\`\`\`` }
}

beforeAll(async () => {
  servers = await startServers()
  suite = await startSuite({ servers })
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  programs.push(...(await generate()))
  expect(programs).toHaveLength(8)
  model = await startScriptedModel(play)
  await caller.model('writer', { baseUrl: model.baseUrl, model: 'writer' })
  await caller.model('judge', { baseUrl: model.baseUrl, model: 'judge' })
  set = await buildByAgents()
})
afterAll(async () => {
  await suite?.stop()
  await Promise.all([model, ...others].map((server) => server?.close()))
  await servers?.stop()
})

/** The programs of the build, which are those of a generation with its options. */
async function generate(): Promise<Program[]> {
  const generating = callerAt(() => suite.urls['trace-generation']!)
  const { scenario, strategy, programs: count, length, seed } = build
  const path = '/v1/generations'
  const { body } = await generating.call<Generation>('POST', path, {
    scenario,
    strategy,
    count,
    length,
    seed,
  })
  await until(async () => (await generating.get<Generation>(`${path}/${body.id}`)).status === 'succeeded')
  return (await generating.get<{ items: Program[] }>(`${path}/${body.id}/programs?limit=100`)).items
}
const buildByAgents = () =>
  caller.buildSet({
    ...build,
    translator: 'agents',
    agents: { generator: 'writer', evaluator: 'judge', coder: 'writer' },
  })
/** Built once. Only the decisions of the last test change it, in a default run. */
let set: BenchmarkResource
const reviews = async (query = '') =>
  (await caller.get<{ items: Review[] }>(`/v1/benchmarks/${set.id}/reviews?limit=100${query}`)).items
const idOf = (course: (typeof courses)[number]) =>
  `session-service-${programs[courses.indexOf(course)]!.id.slice(0, 12)}`

test('every ending: verified, rejected with the reason, left to people; and the share that was filtered', async () => {
  expect(set).toMatchObject({
    status: 'succeeded',
    manifest: { counts: { generated: 8, passed: 4, kept: 4 } },
  })
  const filtered = Object.fromEntries(
    set
      .manifest!.filtered.filter(({ phase }) => phase === 'translate')
      .map(({ reason, count }) => [reason, count]),
  )
  expect(filtered).toEqual({
    'the evaluator judged it impossible': 1,
    'needs review': 1,
    'initial values in the instruction': 1,
    'the round trip failed': 1,
  })
  const all = await reviews()
  expect(all.map(({ case: id }) => id).sort()).toEqual(
    programs.map(({ id }) => `session-service-${id.slice(0, 12)}`).sort(),
  )
  const of = (course: (typeof courses)[number]) => all.find((review) => review.case === idOf(course))!
  expect(of('impossible')).toMatchObject({
    status: 'rejected',
    reason: 'the evaluator judged it impossible: No developer would ask this.',
    tries: [],
  })
  expect(of('at odds')).toMatchObject({
    status: 'needs_review',
    reason: 'no agreement after 3 rounds: Say more plainly what the 3. step does.',
  })
  expect(of('at odds').dialogue).toHaveLength(6)
  expect(of('leak')).toMatchObject({
    status: 'rejected',
    reason: expect.stringContaining(valueIn(programs[2]!)),
  })
  expect(of('vague')).toMatchObject({
    status: 'rejected',
    tries: [{ verdict: expect.any(String) }, { verdict: 'no_code', code: null }, { verdict: 'no_code' }],
  })
  expect(of('second round')).toMatchObject({ status: 'verified', tries: [{ verdict: 'passed' }] })
  expect(of('second round').dialogue.map(({ by, round }) => `${by} ${round}`)).toEqual([
    'generator 1',
    'evaluator 1',
    'generator 2',
    'evaluator 2',
  ])
  expect(of('second try').tries.map(({ verdict }) => verdict)).toEqual(['result_error', 'passed'])
  expect(set.usage?.requests).toBe(model.requests.length)
  expect(await reviews('&status=needs_review')).toHaveLength(1)
})

// A recorded build repeats one as well, in the tests of the command.
const whenLong = isLong ? test : test.skip
whenLong('the same build again asks nobody, and gives the same set', async () => {
  const before = model.requests.length
  const again = await buildByAgents()
  expect(again.manifest?.digest).toBe(set.manifest?.digest)
  expect(model.requests).toHaveLength(before)
})

whenLong('its recording makes the same set without the models, byte for byte', async () => {
  const requestCount = model.requests.length
  const files = (id: string) =>
    Promise.all(
      ['files/manifest.json', 'files/cases.jsonl', 'files/README.md', 'recording'].map(
        async (file) => (await caller.call('GET', `/v1/benchmarks/${id}/${file}`)).text,
      ),
    )
  const before = await files(set.id)
  const { body: recording } = await caller.call<Recording>('POST', '/v1/recordings', { text: before[3] })
  expect(recording).toMatchObject({ model: 'writer', answers: requestCount })
  const agents = { ...build, translator: 'agents' }
  const again = await caller.buildSet(agents, { recording: recording.id })
  expect(again).toMatchObject({ status: 'succeeded', build: set.build, usage: { requests: 0 } })
  expect(await files(again.id)).toEqual(before)
  const evidence = async (id: string) =>
    (await caller.get<{ items: Review[] }>(`/v1/benchmarks/${id}/reviews?limit=100`)).items
  expect(await evidence(again.id)).toEqual(await evidence(set.id))

  expect(
    await caller.buildSet({ ...agents, programs: 1, keep: 1, seed: 12 }, { recording: recording.id }),
  ).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(
      /the recording has no answer to a question of this build .*different options/,
    ),
  })
  expect(model.requests).toHaveLength(requestCount)
  const refused = async (changes: object, id = recording.id) => {
    const { status, body } = await caller.call<{ field: string }>('POST', '/v1/benchmarks', {
      build: { ...agents, ...changes },
      recording: id,
    })
    return [status, body.field]
  }
  expect(await refused({ translator: 'template' })).toEqual([422, '/recording'])
  expect(await refused({ agents: { generator: 'writer' } })).toEqual([422, '/build/agents'])
  expect(await refused({}, `rec_${'0'.repeat(64)}`)).toEqual([422, '/recording'])
  const [heading = '', ...lines] = before[3]!.split('\n')
  const imported = async ({ others, options }: { others?: object; options?: object }) =>
    caller.call<Recording & { field: string; detail: string }>('POST', '/v1/recordings', {
      text: [JSON.stringify({ ...(JSON.parse(heading) as object), others, options }), ...lines].join('\n'),
    })
  expect(await refused({}, (await imported({})).body.id)).toEqual([422, '/recording'])
  const { others } = JSON.parse(heading) as { others: object }
  expect((await imported({ others, options: { agents: { rounds: 3 } } })).body).toMatchObject({
    field: '/text',
    detail: expect.stringMatching(/^line 1 .*generator/),
  })
})

test('a budget, a key or a model that is not there stop a build; a fault of the endpoint drops no program', async () => {
  const agents = { generator: 'stopped' }
  const begin = async (body: object, settings: object, programs = isLong ? 8 : 2) => {
    await caller.model('stopped', settings)
    const creation = await caller.call<BenchmarkResource & { field: string }>('POST', '/v1/benchmarks', {
      build: { ...build, programs, keep: programs, translator: 'agents', agents },
      ...body,
    })
    if (creation.status !== 202) return creation.body
    return until(async () => {
      const now = await caller.get<BenchmarkResource>(`/v1/benchmarks/${creation.body.id}`)
      return now.status !== 'running' && now
    }) as Promise<BenchmarkResource>
  }
  const endpoint = async (rule: (request: ScriptedRequest) => Script) => {
    const server = await startScriptedModel(rule)
    others.push(server)
    return { baseUrl: server.baseUrl, model: 'x', concurrency: 1 }
  }
  const prices = { promptPerMillion: 1e5, completionPerMillion: 0 }
  const fine = await endpoint(play)
  expect(await begin({ budget: { usd: 2.5 } }, fine)).toMatchObject({ field: '/budget/usd' })
  expect(await begin({ budget: { usd: 2.5 } }, { ...fine, prices })).toMatchObject({
    status: 'cancelled',
    budget: { usd: 2.5 },
    error: expect.stringMatching(/the budget of \$2.5 is spent .*build again with a larger one/),
  })
  expect(others[0]!.requests).toHaveLength(3)
  expect(await begin({}, await endpoint(() => ({ status: 404 })), 1)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(
      /there is no model "x".*correct the model \(PUT \/v1\/models\/stopped\), then build again/,
    ),
  })
  expect(await begin({}, { ...(await endpoint(() => ({ status: 500 }))), retries: 0 }, 1)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/given up after 1 try.*build again; earlier answers are reused/),
  })
  // A default run builds no whole set a second time.
  if (!isLong) return
  // What was answered before the budget was spent is kept, and the set is that of a build without a stop.
  const whole = await begin({ budget: { usd: 1000 } }, { ...fine, prices })
  expect([whole.status, whole.error]).toEqual(['succeeded', undefined])
  expect(whole).toMatchObject({ manifest: { counts: set.manifest?.counts } })
  expect(whole.costUsd).toBeCloseTo(whole.usage!.requests, 6)
  expect(whole.usage!.requests).toBe(others[0]!.requests.length - 3)
})

test('people accept, edit and reject; decisions keep who, when and why, and make a set of their own', async () => {
  // In a long run, tests come in any order.
  const decided = isLong ? await buildByAgents() : set
  const decide = (course: (typeof courses)[number], body: object) =>
    caller.call<Review & { field: string }>(
      'POST',
      `/v1/benchmarks/${decided.id}/reviews/${idOf(course)}`,
      body,
    )
  const who = { by: 'alex', because: 'read it twice' }
  expect((await caller.call('POST', `/v1/benchmarks/${decided.id}/reviewed`)).status).toBe(422)
  const accepted = await decide('at odds', { decision: 'accept', ...who })
  expect(accepted.body.decisions).toEqual([
    { decision: 'accept', ...who, at: expect.stringMatching(/^\d{4}-.*Z$/) },
  ])
  expect((await decide('second round', { decision: 'reject', ...who })).status).toBe(200)
  await decide('impossible', { decision: 'reject', ...who })
  const edited = await decide('impossible', {
    decision: 'edit',
    instruction: 'Do as the program does.',
    by: 'kim',
    because: 'it can be said',
  })
  expect(edited.body.decisions.map(({ by }) => by)).toEqual(['alex', 'kim'])

  const refused = async (course: (typeof courses)[number], body: object) =>
    ((answer) => [answer.status, answer.body.field])(await decide(course, body))
  expect(await refused('vague', { decision: 'edit', ...who })).toEqual([422, '/instruction'])
  expect(await refused('vague', { decision: 'accept', instruction: 'x', ...who })).toEqual([
    422,
    '/instruction',
  ])
  expect(await refused('impossible', { decision: 'accept', ...who })).toEqual([422, '/decision'])
  expect(
    await refused('leak', { decision: 'edit', instruction: `Take "${valueIn(programs[2]!)}".`, ...who }),
  ).toEqual([422, '/instruction'])
  expect(await refused('vague', { decision: 'accept', because: 'x' })).toEqual([400, '/by'])
  expect(
    (await caller.call('POST', `/v1/benchmarks/${decided.id}/reviews/nobody`, { decision: 'reject', ...who }))
      .status,
  ).toBe(404)

  const creation = await caller.call<BenchmarkResource>('POST', `/v1/benchmarks/${decided.id}/reviewed`)
  expect([creation.status, creation.body]).toMatchObject([
    201,
    { origin: 'review', reviewed: decided.id, manifest: { counts: { passed: 5, kept: 5 } } },
  ])
  const cases = await caller.cases(creation.body.id)
  const caseOf = (course: (typeof courses)[number]): Case | undefined =>
    cases.find(({ id }) => id === idOf(course))
  expect(caseOf('at odds')?.flags).toContain('accepted_in_review')
  expect(caseOf('impossible')).toMatchObject({
    instruction: 'Do as the program does.',
    flags: expect.arrayContaining(['edited_in_review']),
  })
  expect(caseOf('second round')).toBeUndefined()
  expect(creation.body.manifest?.filtered).toContainEqual({
    scenario: 'session-service',
    phase: 'review',
    reason: 'rejected by a person',
    count: 1,
  })
  expect(
    (await caller.call<BenchmarkResource>('POST', `/v1/benchmarks/${decided.id}/reviewed`)).body.id,
  ).toBe(creation.body.id)
  // What was built stays as it was.
  expect((await caller.get<BenchmarkResource>(`/v1/benchmarks/${decided.id}`)).manifest?.digest).toBe(
    decided.manifest?.digest,
  )
  const evaluated = await caller.ended(
    (await caller.begin({ benchmark: creation.body.id, model: 'reference' })).id,
  )
  expect(evaluated).toMatchObject({ status: 'succeeded', counts: { passed: 5 } })
})

test('a build that can’t be made says so at once, with the field', async () => {
  const refused = async (changes: object) => {
    const { status, body } = await caller.call<{ field: string; detail: string }>('POST', '/v1/benchmarks', {
      build: { ...build, ...changes },
    })
    return [status, body.field, body.detail]
  }
  expect(await refused({ translator: 'agents' })).toEqual([
    422,
    '/build/agents',
    expect.stringContaining('generator'),
  ])
  expect(await refused({ agents: { generator: 'writer' } })).toEqual([
    422,
    '/build/agents',
    expect.anything(),
  ])
  expect(await refused({ translator: 'agents', agents: { generator: 'nobody' } })).toEqual([
    422,
    '/build/agents/generator',
    expect.stringContaining('there is no model "nobody"'),
  ])
  const down = await startScriptedModel(() => ({ say: '' }))
  await down.close()
  await caller.model('down', { baseUrl: down.baseUrl, model: 'x' })
  expect(await refused({ translator: 'agents', agents: { generator: 'writer', coder: 'down' } })).toEqual([
    422,
    '/build/agents/coder',
    expect.stringContaining('cannot be reached'),
  ])
})

test('a set by templates is reviewed case by case, and no other case takes a rejected one’s place', async () => {
  const parent = await caller.buildSet({ ...build, programs: 6, keep: 4 })
  const path = `/v1/benchmarks/${parent.id}/reviews`
  const cases = await caller.cases(parent.id)
  const { body } = await caller.call<{ items: Review[] }>('GET', path)
  expect(body.items.map(({ case: id, instruction, status }) => [id, instruction, status])).toEqual(
    cases.map(({ id, instruction }) => [id, instruction, 'verified']),
  )
  const who = { by: 'alex', because: 'read it' }
  const decide = (c: Case, decision: object) =>
    caller.call<Review & { field?: string }>('POST', `${path}/${c.id}`, { ...who, ...decision })
  const [accepted, edited, rejected, open] = cases as [Case, Case, Case, Case]
  expect((await decide(accepted, { decision: 'accept' })).status).toBe(200)
  expect((await decide(edited, { decision: 'edit', instruction: 'Do as I say.' })).status).toBe(200)
  expect((await decide(rejected, { decision: 'reject' })).status).toBe(200)
  // An instruction that is read as another program is no instruction for this one.
  const wrong = await decide(open, { decision: 'edit', instruction: accepted.instruction })
  expect([wrong.status, wrong.body.field]).toEqual([422, '/instruction'])
  const reviewed = await caller.call<BenchmarkResource>('POST', `/v1/benchmarks/${parent.id}/reviewed`)
  expect(reviewed.body).toMatchObject({
    origin: 'review',
    reviewed: parent.id,
    manifest: { counts: { kept: 3 } },
  })
  const { filtered, counts } = reviewed.body.manifest!
  const inReview = filtered
    .filter(({ phase }) => phase === 'review')
    .map(({ reason, count }) => [reason, count])
  expect(inReview).toContainEqual(['rejected by a person', 1])
  expect(inReview.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(
    parent.manifest!.counts.passed - counts.passed,
  )
  expect(
    (await caller.cases(reviewed.body.id)).map(({ id, instruction, flags }) => [id, instruction, flags]),
  ).toEqual([
    [accepted.id, accepted.instruction, [...accepted.flags, 'accepted_in_review']],
    [edited.id, 'Do as I say.', [...edited.flags, 'edited_in_review']],
    [open.id, open.instruction, open.flags],
  ])
})
