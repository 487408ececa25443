import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { defineCommand, Failure } from '../src/command.ts'
import { commands } from '../src/commands/index.ts'
import { createProgram } from '../src/program.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'stateeval-cli-'))
  process.env.STATEEVAL_HOME = home
})
afterAll(async () => {
  delete process.env.STATEEVAL_HOME
  await rm(home, { recursive: true })
})

async function run(args: string[], modules = commands as readonly ReturnType<typeof defineCommand>[]) {
  let out = ''
  let err = ''
  const streams = { stdout: { write: (text: string) => (out += text) }, stderr: { write: (text: string) => (err += text) } }
  return { code: await createProgram(streams, new AbortController().signal, modules)(args), out, err }
}
const failing = (error: Error) =>
  defineCommand({ name: 'fail', describe: 'fails', example: 'stateeval fail', run: () => Promise.reject(error) })

test.each(commands.map((command) => [command.name.split(' ')[0]!]))('%s has --help with an example and takes --json', async (name) => {
  const { code, out } = await run([name, '--help'])
  expect(code).toBe(0)
  expect(out).toMatch(/Example:\n {2}(\S+=\S+ )*npx stateeval /)
  expect(out).toContain('--json')
})

test('help lists every command once', async () => {
  const { code, out } = await run(['--help'])
  expect(code).toBe(0)
  for (const { name } of commands) expect(out.split('\n').filter((line) => line.startsWith(`  ${name.split(' ')[0]} `))).toHaveLength(1)
})

test.each([[['nope']], [['up', '--nope']], [['up', '--timeout', 'soon']], [['serve']], [['serve', '../etc']]])(
  'wrong usage exits with 2 and one message: %j',
  async (args) => {
    const { code, out, err } = await run(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).not.toMatch(/\n {4}at /)
    expect(err.length).toBeGreaterThan(10)
  },
)

test('status exits with 1 where nothing was started, and says what does', async () => {
  expect(await run(['status'])).toEqual({ code: 1, out: "Nothing was started here: 'npx stateeval up' does.\n", err: '' })
  expect(JSON.parse((await run(['status', '--json'])).out)).toEqual({ up: false, parts: [] })
})

test('down where nothing runs is no error', async () => {
  const { code, out } = await run(['down', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual({ ended: [], purged: false })
})

test('a failure is one message and its exit code, never a stack trace', async () => {
  expect(await run(['fail'], [failing(new Failure('Turn it on.'))])).toEqual({ code: 2, out: '', err: 'stateeval: Turn it on.\n' })
  expect((await run(['fail'], [failing(new Failure('Too low.', 1))])).code).toBe(1)
  const { code, err } = await run(['fail'], [failing(new TypeError('x is no function'))])
  expect(code).toBe(2)
  expect(err).toBe('stateeval: x is no function (unexpected; STATEEVAL_DEBUG=1 shows where)\n')
})
