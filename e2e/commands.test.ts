/** The commands as a user types them, on the real services, servers and sandbox. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createClient } from '@stateeval/client'
import { evaluationOperations, executionOperations } from '@stateeval/contracts'
import { isLong, startScriptedModel, startSuite, stateeval, type Suite } from '@stateeval/testkit'

let suite: Suite
let scratch = ''
beforeAll(async () => {
  suite = await startSuite()
  await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  process.env['STATEEVAL_URL'] = suite.urls['evaluation']
  process.env['STATEEVAL_EXECUTION_URL'] = suite.urls['execution']
  process.env['STATEEVAL_TRACE_GENERATION_URL'] = suite.urls['trace-generation']
  scratch = await mkdtemp(join(tmpdir(), 'stateeval-commands-'))
  process.env['STATEEVAL_HOME'] = scratch
})
afterAll(async () => {
  await suite?.stop()
  await rm(scratch, { recursive: true, force: true })
})

const file = async (name: string, content: string) => {
  await writeFile(join(scratch, name), content)
  return join(scratch, name)
}

let building: ReturnType<typeof stateeval> | undefined
/** A set of two cases, built once, in a folder. */
const smallSet = async () => {
  const folder = join(scratch, 'set')
  building ??= stateeval(
    'build',
    '--scenario',
    'session-service',
    '--programs',
    '4',
    '--keep',
    '2',
    '--out',
    folder,
    '--json',
  )
  return { folder, buildRun: await building }
}

test('generate prints programs, and the same ones each time', async () => {
  const args = ['generate', '--scenario', 'session-service', '--count', '2', '--length', '3', '--seed', '3']
  const first = await stateeval(...args)
  expect(first).toMatchObject({ code: 0, out: expect.stringContaining('RESULT = {') })
  expect((await stateeval(...args)).out).toBe(first.out)
  expect((await stateeval(...args, '--json')).value.programs).toHaveLength(2)
  expect(first.out).not.toMatch(/query\/fetch/)
  expect((await stateeval(...args, '--count', '8', '--apis', 'getSession, fetchSessions')).out).toMatch(
    /query\/fetch/,
  )
  const { value } = await stateeval(...args, '--no-observable', '--json')
  expect(value).toMatchObject({ statistics: { dropped: { unobservable: 0 } } })
})

test('a held-out stream is created, listed, revealed, verified and deleted', async () => {
  const create = ['streams', 'create', '--scenario', 'session-service', '--purpose', 'held-out']
  const created = await stateeval(...create, '--length', '3-6', '--path-depth', '-2', '--json')
  expect(created.value).toMatchObject({
    status: 'sealed',
    options: { length: { min: 3, max: 6 }, pathDepth: { max: 2 } },
  })
  const { id } = created.value as { id: string }
  expect(await stateeval('streams')).toMatchObject({ code: 0, out: expect.stringContaining(id) })
  expect((await stateeval('streams', 'show', id)).out).toMatch(/length 3-6, path depth -2[^]*seed: sealed/)
  expect((await stateeval('streams', 'verify', id)).err).toContain(`streams reveal ${id}`)
  expect((await stateeval('streams', 'reveal', id)).err).toContain('--yes')
  expect((await stateeval('streams', 'reveal', id, '--yes')).out).toMatch(
    /seed: [0-9a-f]{32}\nsalt: [0-9a-f]{32}/,
  )
  expect(await stateeval('streams', 'verify', id)).toMatchObject({
    code: 0,
    out: expect.stringContaining('matches'),
  })
  expect((await stateeval('streams', 'delete', id, '--yes')).code).toBe(0)
  expect((await stateeval('streams', 'task', id, '0')).err).toContain('`npx stateeval streams`')
  const wrong = await stateeval(...create, '--apis', 'noSuchApi')
  expect([wrong.code, wrong.err]).toEqual([expect.any(Number), expect.stringContaining('addSession')])
})

test('run executes one file against a fresh session service', async () => {
  const code = await file(
    'add.js',
    "const axios = require('axios'); const { data } = await axios.post(`${BASE_URL}/api/sessions/lab/settings`, look); RESULT = { id: data.id }",
  )
  const input = await file(
    'input.json',
    JSON.stringify({ variables: { look: { theme: 'dark' } }, world: { items: [] } }),
  )
  const { code: exit, value } = await stateeval(
    'run',
    code,
    '--scenario',
    'session-service',
    '--input',
    input,
    '--json',
  )
  expect(exit).toBe(0)
  expect(value.ending).toEqual({
    status: 'completed',
    result: { id: expect.stringMatching(/^[0-9a-f]{24}$/) },
  })
  expect(value.world.state.items).toMatchObject([
    { source: 'lab', type: 'settings', data: { theme: 'dark' } },
  ])
  const voices = await file(
    'voices.js',
    "const voices = await search_voice_library({ search_gender: 'female' }); RESULT = { some: voices.length > 0 }",
  )
  const called = await stateeval('run', voices, '--scenario', 'elevenlabs-mcp', '--json')
  expect(called.value.ending).toEqual({ status: 'completed', result: { some: true } })
  const broken = await file('broken.js', 'RESULT = {')
  expect(await stateeval('run', broken, '--scenario', 'session-service', '--json')).toMatchObject({
    code: 1,
    value: { ending: { status: 'refused', reason: 'syntax' } },
  })
})

test('check holds requests of files against a specification of several files', async () => {
  const spec = join(scratch, 'spec')
  await mkdir(spec)
  await writeFile(
    join(spec, 'openapi.yaml'),
    'openapi: 3.1.0\nservers: [{ url: https://a.example }]\npaths: { /books: { get: { $ref: get.yaml } } }',
  )
  await writeFile(
    join(spec, 'get.yaml'),
    'parameters: [{ name: limit, in: query, required: true, schema: { type: integer } }]',
  )
  const right = await file('right.js', `fetch('https://a.example/books?limit=1')`)
  const wrong = await file('wrong.js', `require('axios').get('https://a.example/books?limit=no')`)
  const none = await file('none.js', 'const f = () => fetch(1)')
  expect(await stateeval('check', right, '--spec', spec)).toMatchObject({
    code: 0,
    out: expect.stringContaining('ok  GET /books'),
  })
  const { code, value } = await stateeval('check', right, wrong, none, '--spec', spec, '--json')
  expect(code).toBe(1)
  expect(value).toMatchObject([
    { file: right, requests: [{ name: 'GET /books', faults: [] }] },
    { file: wrong, requests: [{ faults: ['the query parameter limit must be an integer, not "no"'] }] },
    { file: none, requests: [], fault: expect.stringContaining('it made no request') },
  ])
  const junit = await stateeval('check', right, wrong, '--spec', spec, '--format', 'junit')
  expect(junit.out).toContain('<testsuites tests="2" failures="1" errors="0">')
  expect(junit.out).toContain('<failure type="conformance" message="the query parameter limit must be')
})

test('a build from a specification is planned without a model', async () => {
  const spec = await file(
    'shop.yaml',
    `openapi: 3.1.0
servers: [{ url: https://a.example }]
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
paths:
  /books/{id}:
    get: { security: [{ key: [] }], parameters: [{ name: id, in: path, required: true, schema: { type: string } }] }
  /orders: { post: { $ref: gone.yaml } }`,
  )
  const { code, value } = await stateeval('build', '--spec', spec, '--dry-run', '--json')
  expect(code).toBe(0)
  expect(value).toMatchObject({
    endpoints: [
      { name: 'GET /books/{id}', arguments: { path: ['id'], query: [] }, security: ['header X-Key'] },
      {
        name: 'POST /orders',
        skipped: expect.any(String),
        detail: expect.stringContaining('paths//orders/post refers to gone.yaml'),
      },
    ],
    ...{ usable: 1, questions: 1, promptTokens: expect.any(Number) },
  })
  const { out } = await stateeval('build', '--spec', spec, '--dry-run')
  expect(out).toMatch(/^1 of 2 endpoints: 1 question to a model, about \d+ prompt tokens/)
  expect(out).toMatch(/GET \/books\/\{id\} +1 path +header X-Key/)
  expect(out).toMatch(/POST \/orders .*gone\.yaml/)
})

test('a set is built, its prompts answered elsewhere, the answers scored and gated, the report shown', async () => {
  const { folder, buildRun } = await smallSet()
  expect(buildRun).toMatchObject({
    code: 0,
    value: { status: 'succeeded', manifest: { counts: { generated: 4, kept: 2 } } },
  })
  const prompts = await stateeval('prompts', '--benchmark', folder)
  const lines = prompts.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { case: string; messages: { content: string }[] })
  expect(lines).toHaveLength(2)
  expect(lines[0]?.messages.at(-1)?.content).toContain('user_variable_0')
  expect((await readFile(join(folder, 'cases.jsonl'), 'utf8')).trim().split('\n')).toHaveLength(2)

  const answers = lines
    .map(({ case: id }) => JSON.stringify({ case: id, answer: '```js\nRESULT = {}\n```' }))
    .join('\n')
  const gated = await stateeval(
    'evaluate',
    '--benchmark',
    folder,
    '--answers',
    await file('a.jsonl', answers),
    '--gate',
    '80%',
    '--json',
  )
  expect(gated).toMatchObject({
    code: 1,
    value: { result: { overall: { passed: 0, scored: 2 }, verdicts: { result_error: 2 } } },
  })

  const answersRun = await stateeval('answers', gated.value.evaluation)
  expect(
    answersRun.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(lines.map(({ case: id }) => ({ case: id, sample: 0, answer: '```js\nRESULT = {}\n```' })))
  const one = await stateeval('answers', gated.value.evaluation, '--case', lines[0]!.case)
  expect(one.out).toMatch(
    /: instruction\n\n.*user_variable_0[^]*\nReference\n\n```javascript\nconst axios[^]*\nSample 0: result error\n {2}RESULT has no [^]*```js\nRESULT = \{\}\n```/,
  )
  expect(await stateeval('answers', gated.value.evaluation, '--case', 'x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('no case "x"'),
  })

  const listed = await stateeval('list', 'evaluations')
  expect(listed.out.split('\n').filter((line) => line.includes(gated.value.evaluation))).toEqual([
    expect.stringMatching(/succeeded .*0\/2/),
  ])
  const sets = (await stateeval('list', 'benchmarks', '--json')).value as {
    id: string
    ids: string[]
    manifest: { digest: string }
  }[]
  expect(sets.filter(({ manifest }) => manifest.digest === buildRun.value.manifest.digest)).toEqual([
    expect.objectContaining({
      id: buildRun.value.id,
      ids: [buildRun.value.id, expect.stringMatching(/^bm_/)],
      folders: [folder],
    }),
  ])
  const row = (await stateeval('list', 'benchmarks')).out
    .split('\n')
    .find((line) => line.includes(buildRun.value.id))!
  for (const cell of [buildRun.value.manifest.digest.slice(0, 12), 'session-service', ' 2 ', 'javascript'])
    expect(row).toContain(cell)
  expect((await stateeval('list', 'models')).out).toMatch(/reference +built in/)
  expect(await stateeval('list', 'mutants')).toMatchObject({
    code: 2,
    err: expect.stringContaining('no list of mutants'),
  })

  const some = await file(
    'some.jsonl',
    JSON.stringify({ case: lines[0]!.case, answer: '```js\nRESULT = {}\n```' }),
  )
  const lacking = await stateeval('evaluate', '--benchmark', folder, '--answers', some, '--gate', '0%')
  expect([lacking.code, lacking.out]).toEqual([0, expect.stringMatching(/0\/2[^]*1 of 2 samples answered/)])
  const half = ['evaluate', '--benchmark', folder, '--answers', some, '--partial', '--gate', '0%'] as const
  const unscored = await stateeval(...half)
  expect([unscored.code, unscored.err]).toEqual([1, expect.stringContaining('1 sample has no score')])
  expect(unscored.out).toContain('1 × exhausted: no answer was given')
  expect(await stateeval(...half, '--allow-unscored')).toMatchObject({ code: 0 })
  const noFile = ['evaluate', '--benchmark', folder, '--model', 'reference', '--partial'] as const
  expect((await stateeval(...noFile)).err).toContain('only given answers are partial')

  const passed = await stateeval(
    'evaluate',
    '--benchmark',
    folder,
    '--model',
    'reference',
    '--gate',
    '100%',
    '--json',
  )
  expect(passed).toMatchObject({ code: 0, value: { result: { overall: { passed: 2, scored: 2 } } } })
  // Each is held against its schema.
  const id: string = passed.value.evaluation
  for (const command of [
    ['prompts', '--benchmark', folder],
    ['answers', id],
    ['answers', id, '--case', lines[0]!.case],
    ['compare', gated.value.evaluation, id],
    ['gate', id, '--gate', '50%'],
    ['list', 'models'],
    ['model', 'reference'],
    ['show', folder],
    ['status'],
  ])
    expect(await stateeval(...command, '--json')).toMatchObject({ value: expect.anything() })
  const junit = await stateeval('report', passed.value.evaluation, '--format', 'junit')
  expect(junit.out).toContain('<testsuites tests="2" failures="0" errors="0">')
})

test('an option of a scenario’s own bounds what is generated and built, stands in the manifest, and is refused by name', async () => {
  const bound = ['--scenario', 'tensor-operation', '--scenario-option', 'elements=64', '--json']
  const { programs } = (await stateeval('generate', ...bound, '--count', '3')).value as {
    programs: { world: unknown }[]
  }
  expect(programs.map(({ world }) => world)).toEqual([{ elements: 64 }, { elements: 64 }, { elements: 64 }])

  const build = [
    'build',
    ...bound,
    '--programs',
    '2',
    '--keep',
    '1',
    '--length',
    '2',
    '--languages',
    'javascript',
  ] as const
  const folder = join(scratch, 'bounded')
  const { value: buildRun } = await stateeval(...build, '--out', folder)
  expect(buildRun.manifest.options).toMatchObject({
    scenario: 'tensor-operation',
    scenarioOptions: { elements: 64 },
  })
  expect(JSON.parse(await readFile(join(folder, 'cases.jsonl'), 'utf8')).program.world).toEqual({
    elements: 64,
  })
  // Builds again the same set; other tests of a default run compare what is generated again.
  if (isLong) expect((await stateeval(...build)).value.manifest.digest).toBe(buildRun.manifest.digest)

  const refused = async (...options: string[]) =>
    (await stateeval('build', '--programs', '2', '--keep', '1', ...options)).err
  expect(await refused('--scenario', 'tensor-operation', '--scenario-option', 'elements=63')).toContain(
    'elements: must be an integer from 64',
  )
  expect(await refused('--scenario', 'session-service', '--scenario-option', 'elements=64')).toContain(
    'elements: no option of session-service; available: none',
  )
})

test('a model is named with a file and changed by options; its evaluation, which failed, is resumed; all of it ends as evaluate does', async () => {
  const { folder } = await smallSet()
  let open = false
  const model = await startScriptedModel(() => (open ? { say: '```js\nRESULT = {}\n```' } : { status: 401 }))
  try {
    const settings = {
      baseUrl: 'http://127.0.0.1:1/v1',
      model: 'tiny',
      concurrency: 1,
      parameters: { temperature: 0.5 },
    }
    const evaluateArgs = ['evaluate', '--benchmark', folder, '--model', 'mine']
    const named = [
      '--model-file',
      await file('mine.json', JSON.stringify(settings)),
      '--base-url',
      model.baseUrl,
    ]
    const stopped = await stateeval(
      ...evaluateArgs,
      ...named,
      '--price-input',
      '1',
      '--price-output',
      '2',
      '--budget-usd',
      '2',
    )
    expect([stopped.code, stopped.err]).toEqual([
      2,
      expect.stringMatching(
        /evaluation ev_\S+ failed: .*`npx stateeval model mine --key-env NAME`.*`npx stateeval resume ev_\w+`$/m,
      ),
    ])
    const id = /ev_[0-9a-z]+/.exec(stopped.err)![0]
    expect(await stateeval('resume', id, '--budget-usd', '0')).toMatchObject({
      code: 2,
      err: expect.stringContaining('raise --budget-usd'),
    })
    open = true
    const before = model.requests.length
    const resumed = await stateeval('resume', id, '--budget-usd', '3', '--gate', '100%', '--json')
    expect(resumed).toMatchObject({
      code: 1,
      value: { evaluation: id, result: { overall: { passed: 0, scored: 2 } }, run: { budget: { usd: 3 } } },
    })
    expect(model.requests.slice(before).map(({ parameters }) => parameters['temperature'])).toEqual([
      0.5, 0.5,
    ])
    expect(await stateeval('resume', id)).toMatchObject({
      code: 0,
      out: expect.stringContaining('mine on benchmark'),
    })
    expect((await stateeval('cancel', id)).out).toContain(`evaluation ${id}: succeeded`)
    expect((await stateeval('tag', id, '--add', 'nightly,draft')).code).toBe(0)
    const tagged = await stateeval('tag', id, '--remove', 'draft')
    expect(tagged.out).toContain(`The evaluation ${id}: nightly`)
    const listed = await stateeval('list', 'evaluations', '--tag', 'nightly', '--json')
    expect(listed.value).toMatchObject([{ id, tags: ['nightly'] }])

    const changed = await stateeval(...evaluateArgs, '--model-id', 'small', '--budget-usd', '1')
    expect(changed).toMatchObject({
      code: 0,
      err: expect.stringContaining('as before: baseUrl, concurrency, parameters, prices'),
    })
    expect(model.requests.at(-1)).toMatchObject({ model: 'small', parameters: { temperature: 0.5 } })
  } finally {
    await model.close()
  }
})

test('a set that agents wrote is built again from its recording, without them', async () => {
  const tasks = new Map<string, string>()
  const agents = await startScriptedModel(({ messages }) => {
    const text = messages[0]?.content ?? ''
    const code = /## Program\s+```javascript\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
    if (text.startsWith('You judge')) return { say: '<OK>' }
    if (text.startsWith('You write tasks')) {
      const [, keys] = /its keys are (.*?), each named/.exec(text) ?? []
      const task = `Do what task number ${tasks.size + 1} of the list says; RESULT holds ${keys}.`
      tasks.set(task, code)
      return { say: task }
    }
    const [, solution] = [...tasks].find(([task]) => text.includes(task)) ?? []
    return { say: `\`\`\`javascript\n${solution}\`\`\`` }
  })
  const build = [
    'build',
    '--scenario',
    'session-service',
    '--programs',
    '2',
    '--keep',
    '2',
    '--translator',
    'agents',
    '--json',
  ]
  const [first, again] = [join(scratch, 'agents'), join(scratch, 'again')]
  const buildRun = await stateeval(
    ...build,
    '--model',
    'scribe',
    '--base-url',
    agents.baseUrl,
    '--tries',
    '2',
    '--out',
    first,
  )
  await agents.close()
  expect(buildRun.err).not.toContain('failed')
  expect(buildRun).toMatchObject({
    code: 0,
    value: { manifest: { counts: { kept: 2 } }, usage: { requests: 6 } },
  })
  const recording = await file(
    'agents.recording',
    (await stateeval('recording', buildRun.value.id as string)).out,
  )
  const repeated = await stateeval(...build, '--recording', recording, '--out', again)
  expect(repeated).toMatchObject({ code: 0, value: { usage: { requests: 0 } } })
  for (const name of ['manifest.json', 'cases.jsonl', 'README.md'])
    expect(await readFile(join(again, name), 'utf8')).toBe(await readFile(join(first, name), 'utf8'))

  const review = (...args: string[]) => stateeval('review', buildRun.value.id as string, ...args)
  const listed = await review('--json')
  const names = (listed.value as { case: string }[]).map((one) => one.case)
  expect(names).toHaveLength(2)
  const [keptCase, rejected] = names as [string, string]
  expect((await review('--status', 'needs_review')).out).toContain(
    'nothing to review with the status needs review',
  )
  const read = (await review(keptCase)).out
  for (const part of [
    'Instruction\n  Do what task number',
    'Reference code\n  const axios',
    'Round 1, generator',
    'Try 1: passed',
  ])
    expect(read).toContain(part)
  expect(await review('none')).toMatchObject({
    code: 2,
    err: expect.stringContaining('nothing to review under none'),
  })
  expect(await review(keptCase, 'approve', '--because', 'x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('accept, reject, edit'),
  })
  expect(await review(keptCase, 'accept')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--because'),
  })
  expect(await review('--apply')).toMatchObject({
    code: 2,
    err: expect.stringContaining(`npx stateeval review ${buildRun.value.id} CASE`),
  })
  const task = 'Do it, and say what came of it.'
  expect(
    await review(keptCase, 'edit', '--instruction', task, '--because', 'shorter', '--by', 'alex'),
  ).toMatchObject({ code: 0 })
  expect(await review(rejected, 'reject', '--because', 'says too little', '--by', 'alex')).toMatchObject({
    code: 0,
  })
  expect((await review()).out).toMatch(/edit by alex[^]*reject by alex/)
  const folder = join(scratch, 'reviewed')
  const applied = await review('--apply', '--out', folder, '--json')
  expect(applied).toMatchObject({
    code: 0,
    value: { reviewed: buildRun.value.id, manifest: { counts: { kept: 1 } } },
  })
  expect(JSON.parse(await readFile(join(folder, 'cases.jsonl'), 'utf8'))).toMatchObject({
    id: keptCase,
    instruction: task,
  })
  expect((await stateeval('show', folder)).out).toContain(`Folder: ${folder}`)
})

test('the examples of the contract are true: a set and a recording can be imported, and give what they say', async () => {
  const client = createClient(evaluationOperations, { baseUrl: suite.urls['evaluation']! })
  const { importBenchmark, importRecording, createExecution } = {
    ...evaluationOperations,
    ...executionOperations,
  }
  const timeless = (resource: object) => ({ ...resource, createdAt: '', finishedAt: '' })
  const imported = await client.importBenchmark({ body: importBenchmark.example })
  expect(timeless(imported)).toEqual(timeless(importBenchmark.success[201].example))
  const evaluated = await stateeval('evaluate', '--benchmark', imported.id, '--model', 'reference', '--json')
  expect(evaluated).toMatchObject({ code: 0, value: { result: { overall: { passed: 1, scored: 1 } } } })
  expect(await client.importRecording({ body: importRecording.example })).toEqual(
    importRecording.success[201].example,
  )
  const runner = createClient(executionOperations, { baseUrl: suite.urls['execution']! })
  const { result } = await runner.createExecution({ body: createExecution.example, query: { wait: 60 } })
  const { ending, world } = createExecution.success[200].example.result!.observations[0]!
  expect(result?.observations).toMatchObject([{ ending, world }])
})

test.each([
  [['build', '--scenario', 'nowhere'], /nowhere/],
  [['build', '--scenario', 'session-service', '--length', '1000000000'], /2 to 50/],
  [['generate', '--scenario', 'session-service', '--length', '0'], /2 to 50/],
  [
    ['generate', '--scenario', 'session-service', '--apis', 'dropDatabase'],
    /dropDatabase is not an opt-in API.*getSession, fetchSessions/,
  ],
  [['generate', '--scenario', 'session-service', '--apis', ','], /names separated by commas/],
  [['evaluate', '--benchmark', 'bm_missing', '--model', 'reference'], /bm_missing/],
  [['build', '--scenario', 'session-service', '--recording', 'x'], /for --translator agents/],
  [
    ['build', '--scenario', 'x', '--translator', 'agents', '--model', 'm', '--recording', 'x'],
    /already names its agents/,
  ],
  [['evaluate', '--benchmark', 'bm_missing'], /--model, --answers and --recording/],
  [
    [
      'evaluate',
      '--benchmark',
      'bm_x',
      '--model',
      'm',
      '--base-url',
      'http://127.0.0.1:1/v1',
      '--key-env',
      'HOME',
    ],
    /STATEEVAL_KEY_.*--key-env/,
  ],
  [
    ['evaluate', '--benchmark', 'bm_x', '--model', 'new', '--price-input', '1'],
    /no model new yet\. Give its endpoint with --base-url URL/,
  ],
  [['report', 'ev_missing'], /ev_missing"; `npx stateeval list evaluations`/],
  [['show', 'bm_missing'], /bm_missing"; `npx stateeval list benchmarks`/],
  [['resume', 'ev_missing'], /ev_missing/],
  [['cancel', 'bm_missing'], /bm_missing/],
])('%j ends with 2 and says what is wrong', async (args, says) => {
  const { code, err, out } = await stateeval(...args)
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(says)
  expect(err).not.toMatch(/\n[ \t]+at /)
})
