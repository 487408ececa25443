import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { findSchemaFault } from '@stateeval/contracts'
import { defineCommand, Failure } from '../src/command.ts'
import { commands } from '../src/commands/index.ts'
import { createProgram } from '../src/program.ts'
import { readSettingsFile } from '../src/suite/model-options.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stateeval-cli-'))
  process.env.STATEEVAL_HOME = home
})
afterAll(async () => {
  delete process.env.STATEEVAL_HOME
  await rm(home, { recursive: true })
})

async function run(args: string[], modules = commands) {
  let out = ''
  let err = ''
  const streams = {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  }
  return { code: await createProgram(streams, new AbortController().signal, modules)(args), out, err }
}
const failing = (error: Error) =>
  defineCommand({
    name: 'fail',
    describe: 'fails',
    example: 'stateeval fail',
    run: () => Promise.reject(error),
  })

test.each(commands.map((command) => [command.name.split(' ')[0]!]))(
  '%s has --help with an example and takes --json',
  async (name) => {
    const { code, out } = await run([name, '--help'])
    expect(code).toBe(0)
    expect(out).toMatch(/Example:\n {2}(\w+=\S+ )*npx stateeval /)
    expect(out).toContain('--json')
  },
)

test('every command that prints a result has a schema of it, and schema prints it', async () => {
  const { resultSchemas } = await import('../src/results/schemas.ts')
  const names = commands.map(({ name }) => name.split(' ')[0]!)
  // A new command: describe its JSON in src/results/schemas.ts.
  expect(names.filter((name) => !Object.hasOwn(resultSchemas, name))).toEqual(['serve'])
  expect(Object.keys(resultSchemas).filter((name) => !names.includes(name))).toEqual([])
  for (const name of Object.keys(resultSchemas)) {
    const { code, out } = await run(['schema', name])
    expect({ name, code }).toEqual({ name, code: 0 })
    expect(JSON.parse(out)).toHaveProperty('$schema')
  }
  const status = JSON.parse((await run(['status', '--json'])).out) as unknown
  expect(findSchemaFault(resultSchemas['status']!, status)).toBeNull()
  expect(findSchemaFault(resultSchemas['status']!, { parts: [] })).not.toBeNull()
  expect((await run(['schema', 'nope'])).err).toContain("There is no command 'nope'")
})

test('help lists every command once', async () => {
  const { code, out } = await run(['--help'])
  expect(code).toBe(0)
  for (const { name } of commands)
    expect(out.split('\n').filter((line) => line.startsWith(`  ${name.split(' ')[0]} `))).toHaveLength(1)
})

test.each([
  [['nope']],
  [['up', '--nope']],
  [['up', '--timeout', 'soon']],
  [['serve']],
  [['serve', '../etc']],
])('wrong usage exits with 2 and one message: %j', async (args) => {
  const { code, out, err } = await run(args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).not.toMatch(/\n {4}at /)
  expect(err.length).toBeGreaterThan(10)
})

test('a misspelled option is named before the required one that is missing', async () => {
  const misspelled = await run(['evaluate', '--benchmrk', 'x', '--model', 'y'])
  expect([misspelled.code, misspelled.err]).toEqual([
    2,
    expect.stringMatching(/^error: unknown option '--benchmrk'\n\(Did you mean --benchmark\?\)\n/),
  ])
  const missing = await run(['evaluate', '--model', 'y'])
  expect([missing.code, missing.err]).toEqual([
    2,
    "error: required option '--benchmark <id|folder>' not specified\n(see --help)\n",
  ])
})

test.each([
  [
    ['task', 'str_1', '99999999999999'],
    'Give its index, from 0 to 999999999: npx stateeval streams task str_1 0',
  ],
  [['task', 'str_1'], 'Give its index, from 0 to 999999999'],
  [
    ['show', 'nope'],
    '"nope" is not the id of a stream: these begin with str_. List them with: npx stateeval streams',
  ],
  [['show'], 'npx stateeval streams lists them'],
])('streams %j says what it takes', async (args, says) => {
  expect(await run(['streams', ...args])).toMatchObject({ code: 2, err: expect.stringContaining(says) })
})

test('sources of a build exclude each other', async () => {
  expect((await run(['build', '--scenario', 'x', '--samples', '3'])).err).toBe(
    'stateeval: --scenario and --samples exclude each other. Keep one: --scenario ID (or all) for programs, --world FILE for programs of a modelled API, --spec FILE for the tasks of an API, or --samples N for samples from a seed.\n',
  )
  expect((await run(['build'])).err).toContain('Name the source: --scenario ID (or all) for programs')
})

test('status exits with 1 where nothing was started, and says what does', async () => {
  expect(await run(['status'])).toEqual({
    code: 1,
    out: 'Nothing is running. Start it with `npx stateeval up`.\n',
    err: '',
  })
  expect(JSON.parse((await run(['status', '--json'])).out)).toEqual({ up: false, parts: [] })
})

test('--version names the suite and its Node', async () => {
  expect(await run(['--version'])).toEqual({
    code: 0,
    out: expect.stringMatching(/^stateeval \d+\.\d+\.\d+ \(Node \d+\./),
    err: '',
  })
})

test('a failure names commands in place of requests, and options in place of fields', async () => {
  const says = async (message: string, field?: string) => {
    const module = defineCommand({
      ...failing(new Failure(message, 2, field)),
      configure: (command) =>
        command
          .option('--budget-usd <n>')
          .option('--budget-tokens <n>')
          .option('--second-opinion <name>')
          .option('--time-limit <seconds>')
          .option('--limits <list>')
          .option('--model <name>'),
    })
    return (await run(['fail'], [module])).err
  }
  expect(await says('there is no model "x"; PUT /v1/models/x names one', '/model')).toBe(
    'stateeval: there is no model "x"; `npx stateeval model x --base-url URL` names one (--model)\n',
  )
  expect(await says('a budget of 0 allows no request; raise budget.usd', '/budget/usd')).toBe(
    'stateeval: a budget of 0 allows no request; raise --budget-usd\n',
  )
  expect(await says('/secondOpinion must be a string', '/secondOpinion')).toBe(
    'stateeval: --second-opinion must be a string\n',
  )
  expect(await says('a dialogue has at most 100 turns; set turns to 100 or less', '/limits/turns')).toBe(
    'stateeval: a dialogue has at most 100 turns; set turns to 100 or less (--limits)\n',
  )
  expect(await says('/limits/tokens must be >= 1', '/limits/tokens')).toBe(
    'stateeval: --limits must be >= 1\n',
  )
  expect(await says('id must match pattern "^[0-9a-f]{32}$"', 'id')).toBe(
    'stateeval: id must match pattern "^[0-9a-f]{32}$"\n',
  )
  expect(await says('cases.jsonl is torn', '/cases')).toBe('stateeval: cases.jsonl is torn\n')
  expect(await says('/cases must be a list', '/cases')).toBe('stateeval: cases must be a list\n')
  expect(await says('the limits are too high; leave limits out, or lower timeLimit', '/limits')).toBe(
    'stateeval: the limits are too high; leave --limits out, or lower --time-limit\n',
  )
  expect(
    await says('the model x cannot be asked: it is away; start the endpoint, or correct baseUrl', '/model'),
  ).toBe(
    'stateeval: the model x cannot be asked: it is away; start the endpoint, or correct --base-url (--model)\n',
  )
})

test('problems of a program, an answer and a model name the option or the file that is at fault', async () => {
  let problem: { detail: string; field?: string } = { detail: 'no' }
  const server = createServer((request, response) => {
    request.resume()
    const isMissing = request.method === 'GET'
    const status = isMissing ? 404 : 422
    response
      .writeHead(status, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ type: 'urn:stateeval:problem:x', title: 'x', status, ...problem }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const says = async (args: string[], detail: string, field?: string) => {
    problem = { detail, ...(field !== undefined && { field }) }
    const { code, err } = await run(args)
    expect(code).toBe(2)
    return err
  }
  const file = join(home, 'one.json')
  const answers = join(home, 'answers.jsonl')
  await writeFile(file, JSON.stringify({ baseUrl: 'http://127.0.0.1:1/v1', model: 'x', concurrency: 0 }))
  await writeFile(answers, '\n{"case":"a","answer":"x"}\n{"case":"a","sample":5,"answer":"x"}\n')
  const evaluate = ['evaluate', '--benchmark', 'bm_1']
  const model = ['model', 'x', '--base-url', 'http://127.0.0.1:1/v1']
  Object.assign(process.env, { STATEEVAL_URL: url, STATEEVAL_EXECUTION_URL: url })
  try {
    expect(
      await says(
        [...evaluate, '--answers', answers],
        'sample 5 of a is beyond the limit; set samples to 6 or more',
        '/answers/1/sample',
      ),
    ).toBe(`stateeval: ${answers}, line 3: sample 5 of a is beyond the limit; set --samples to 6 or more\n`)
    expect(
      await says(
        [...evaluate, '--model', 'x'],
        'the model x cannot be asked: http://h/v1 cannot be reached; start the endpoint, or correct baseUrl',
        '/model',
      ),
    ).toBe(
      'stateeval: the model x cannot be asked: http://h/v1 cannot be reached; start the endpoint, or correct --base-url\n',
    )
    expect(
      await says(['run', file, '--scenario', 'nope'], 'there is no world nope; available: none', '/world'),
    ).toBe('stateeval: there is no world nope; available: none (--scenario)\n')
    expect(await says(['run', file, '--scenario', 'a'], 'x must be a string', '/inputs/0/world/x')).toBe(
      'stateeval: x must be a string (--input)\n',
    )
    expect(
      await says([...model, '--model-id', 'y'.repeat(201)], '/model must not have more than 200', '/model'),
    ).toBe('stateeval: --model-id must not have more than 200\n')
    expect(await says([...model, '--key-env', 'HOME'], 'HOME may not be used as a key', '/keyEnv')).toBe(
      'stateeval: HOME may not be used as a key (--key-env)\n',
    )
    const wrongHeader = 'headers.a: PATH is not allowed as a key'
    expect(await says([...model, '--header', 'a=${PATH}'], wrongHeader, '/headers/a')).toBe(
      `stateeval: ${wrongHeader} (--header)\n`,
    )
    for (const [detail, field, expected] of [
      ['/concurrency must be >= 1', '/concurrency', '"concurrency" must be >= 1'],
      ['/modle is unknown; remove it', '/modle', '"modle" is unknown; remove it'],
      ['baseUrl must begin with http://', '/baseUrl', '"baseUrl" must begin with http://'],
    ] as const)
      expect(await says(['model', 'x', '--model-file', file], detail, field)).toBe(
        `stateeval: ${file}: ${expected}\n`,
      )
  } finally {
    Reflect.deleteProperty(process.env, 'STATEEVAL_URL')
    Reflect.deleteProperty(process.env, 'STATEEVAL_EXECUTION_URL')
    server.close()
  }
})

test.each([
  ['turns=20,seconds=0.5', null],
  ['turns', 'use numbers by name'],
  ['turns=1,turns=2', 'use numbers by name'],
  ['steps=2', 'the names are turns, calls, tokens, seconds'],
  ['tokens=-1', 'use numbers by name'],
  ['', 'use numbers by name'],
])('--limits %j', async (text, refusal) => {
  const { code, err } = await run(['evaluate', '--benchmark', './nowhere', '--model', 'm', '--limits', text])
  expect([code, err]).toEqual([2, expect.stringContaining(refusal ?? 'nowhere')])
})

test('a folder that is not there is said to be none', async () => {
  for (const args of [
    ['evaluate', '--benchmark', './nowhere', '--model', 'reference'],
    ['prompts', '--benchmark', 'nowhere/'],
  ])
    expect(await run(args)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`No such folder: ${args[2]}. Ids of benchmarks begin with bm_`),
    })
  expect(await run(['import', 'wapiibench', 'nowhere'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('No such folder: nowhere.'),
  })
  const file = join(home, 'set.json')
  await writeFile(file, '{}')
  expect(await run(['evaluate', '--benchmark', file, '--model', 'reference'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('is a file'),
  })
})

test('an empty benchmark is said to be empty', async () => {
  for (const command of ['evaluate', 'prompts']) {
    const model = command === 'evaluate' ? ['--model', 'm'] : []
    const { code, err } = await run([command, '--benchmark', '', ...model])
    expect([code, err]).toEqual([2, expect.stringContaining('stateeval: --benchmark is empty.')])
  }
})

test.each(['notaurl', '', 'this is no URL either'])(
  '--base-url %j is refused with an example',
  async (text) => {
    const { code, err } = await run(['model', 'x', '--base-url', text])
    expect([code, err]).toEqual([
      2,
      expect.stringContaining(
        `'${text}' is invalid. It is not a URL; use one such as http://127.0.0.1:8000/v1`,
      ),
    ])
    const file = join(home, 'model.json')
    await writeFile(file, JSON.stringify({ baseUrl: text, model: 'x' }))
    await expect(readSettingsFile(file)).rejects.toThrow(
      `${file}: "baseUrl" is not a URL; use one such as http://127.0.0.1:8000/v1`,
    )
  },
)

test('down where nothing runs is no error', async () => {
  const { code, out } = await run(['down', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual({ ended: [], purged: false })
})

test('a failure is one message and its exit code, never a stack trace', async () => {
  expect(await run(['fail'], [failing(new Failure('Turn it on.'))])).toEqual({
    code: 2,
    out: '',
    err: 'stateeval: Turn it on.\n',
  })
  expect((await run(['fail'], [failing(new Failure('Too low.', 1))])).code).toBe(1)
  const { code, err } = await run(['fail'], [failing(new TypeError('x is no function'))])
  expect(code).toBe(2)
  expect(err).toBe('stateeval: x is no function (unexpected; STATEEVAL_DEBUG=1 shows where)\n')
})

test('a build needs the public face of a suite only, which chooses the languages; the command tells them', async () => {
  const requests: { build: { languages?: string[] } }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'POST') requests.push(JSON.parse(body) as (typeof requests)[number])
      const languages = requests.at(-1)?.build.languages ?? ['javascript', 'python']
      const resource = {
        id: 'bm_1',
        status: 'succeeded',
        progress: { done: 1, total: 1, phase: 'done' },
        build: { languages },
      }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(resource))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    process.env.STATEEVAL_URL = url
    const alone = await run(['build', '--scenario', 'tensors'])
    expect([alone.code, alone.err]).toEqual([
      0,
      expect.stringContaining('Reference code in javascript and python.'),
    ])
    const named = await run(['build', '--scenario', 'tensors', '--languages', 'python'])
    expect([named.code, named.err]).toEqual([0, expect.stringContaining('Reference code in python.')])
    expect(requests.map(({ build }) => build.languages)).toEqual([undefined, ['python']])
  } finally {
    Reflect.deleteProperty(process.env, 'STATEEVAL_URL')
    server.close()
  }
})

test('a program is taken for what its name says; an input with unknown fields is refused', async () => {
  const requests: { language: string }[] = []
  const observation = { ending: { status: 'completed', result: 1 } }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push(JSON.parse(body) as (typeof requests)[number])
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ id: 'exe_1', result: { observations: [observation] } }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const file = async (name: string, content: string) => {
    await writeFile(join(home, name), content)
    return join(home, name)
  }
  try {
    process.env.STATEEVAL_EXECUTION_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const [python, javascript] = [await file('a.py', 'RESULT = 1'), await file('a.js', 'RESULT = 1')]
    for (const args of [[python], [javascript], [javascript, '--language', 'python']])
      expect((await run(['run', ...args, '--scenario', 'none'])).code).toBe(0)
    expect(requests.map(({ language }) => language)).toEqual(['python', 'javascript', 'python'])
    const input = await file('input.json', '{"vars": {}}')
    expect(await run(['run', javascript, '--scenario', 'none', '--input', input])).toMatchObject({
      code: 2,
      err: expect.stringContaining('"vars"; it should be {"variables": {…}, "world": {…}}'),
    })
  } finally {
    delete process.env.STATEEVAL_EXECUTION_URL
    server.close()
  }
})

test.each(['{}', 'null', 'no JSON', '{"tables": 1}'])(
  'published tables that are none are refused: %s',
  async (content) => {
    await writeFile(join(home, 'published.json'), content)
    const { code, err } = await run(['tables', 'ev_1', '--published', join(home, 'published.json')])
    expect(code).toBe(2)
    expect(err).toContain('contains no published tables')
  },
)

test('an address of another server is named, with the remedy', async () => {
  let answer: { status: number; type: string; body: string } = { status: 200, type: '', body: '' }
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const json = 'application/json'
  const noRoute = JSON.stringify({
    type: 'urn:stateeval:problem:not-found',
    title: 'Not found',
    status: 404,
    detail: 'there is no route /v1/benchmarks; /docs lists the routes',
  })
  const answers = [
    { status: 200, type: json, body: '{"hello":"world"}' },
    { status: 200, type: json, body: '{"items":"none"}' },
    { status: 200, type: json, body: '[]' },
    { status: 200, type: json, body: '{' },
    { status: 200, type: 'text/html', body: '<p>Welcome</p>' },
    { status: 404, type: json, body: '{"detail":"Not Found"}' },
    { status: 400, type: json, body: '{"error":{"message":"x"}}' },
    { status: 404, type: 'text/html', body: '<h1>Not Found</h1>' },
    { status: 501, type: 'text/html', body: "Unsupported method ('POST')" },
    { status: 404, type: 'application/problem+json', body: noRoute },
  ]
  const commands = [
    ['list', 'benchmarks'],
    ['evaluate', '--benchmark', 'bm_1', '--model', 'reference'],
    ['model', 'x', '--base-url', 'http://127.0.0.1:1/v1'],
    ['export', 'reports', '--out', join(home, 'never.jsonl')],
  ]
  process.env.STATEEVAL_URL = url
  try {
    for (answer of answers)
      for (const args of commands) {
        if (args[0] === 'export' && answer.status === 200) continue // bytes of any form
        const { code, err } = await run(args)
        expect({ answer, args, code, err }).toMatchObject({
          code: 2,
          err: expect.stringContaining(`STATEEVAL_URL (${url}) is not a StateEval evaluation service`),
        })
        expect(err).toContain('Set STATEEVAL_URL to the URL of the evaluation service')
      }
    expect((await run(['list', 'benchmarks'])).err).toContain('there is no route /v1/benchmarks. Set')
    answer = { status: 502, type: 'text/html', body: 'Bad Gateway' }
    expect((await run(['list', 'benchmarks'])).err).toBe('stateeval: Bad Gateway\n')
  } finally {
    Reflect.deleteProperty(process.env, 'STATEEVAL_URL')
    server.close()
  }
})
