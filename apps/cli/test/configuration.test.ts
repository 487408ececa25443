import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { defineCommand } from '../src/command.ts'
import { commands } from '../src/commands/index.ts'
import { readConfiguration } from '../src/configuration/file.ts'
import { formatConfigurationTemplate } from '../src/configuration/template.ts'
import { createProgram } from '../src/program.ts'
import { describeCommands } from '../src/shell/describe.ts'
import { parseInteger } from '../src/suite/options.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stateeval-configuration-'))
  await mkdir(join(folder, 'a/b'), { recursive: true })
})
afterAll(() => rm(folder, { recursive: true }))

const write = (text: string) => writeFile(join(folder, 'stateeval.yaml'), text)
const read = (env: NodeJS.ProcessEnv = {}) => readConfiguration(join(folder, 'a/b'), env)

/** Prints its options. */
const shown = defineCommand({
  name: 'shown',
  describe: 'shows its options',
  example: 'stateeval shown',
  configure: (command) =>
    command
      .requiredOption('--model <name>', 'a model')
      .option('--samples <n>', 'answers', parseInteger(1, 10), 1)
      .option('--names <list>', 'names', (text: string) => text.split(','))
      .option('--fresh', 'anew')
      .option('--no-control-flow', 'straight'),
  run: async ({ options, terminal }) => {
    terminal.result(options, () => JSON.stringify(options))
    return 0
  },
})
async function run(args: string[], env: NodeJS.ProcessEnv = {}) {
  let [out, err] = ['', '']
  const streams = {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  }
  const program = createProgram(streams, new AbortController().signal, [shown], () => read(env))
  return { code: await program(['shown', ...args]), out, err }
}

test('the nearest file gives options their defaults; the command line wins', async () => {
  await write(
    'commands:\n  shown: { model: small, samples: 3, names: [a, b], fresh: true, control-flow: false }\n',
  )
  const defaults = { model: 'small', samples: 3, names: ['a', 'b'], fresh: true, controlFlow: false }
  expect(JSON.parse((await run([])).out)).toEqual(defaults)
  expect(JSON.parse((await run(['--samples', '5', '--model', 'other'])).out)).toEqual({
    ...defaults,
    samples: 5,
    model: 'other',
  })
})

test('settings stand for variables that the environment does not have', async () => {
  await write('url: https://suite.example.com\nhome: state\n')
  expect(await read()).toEqual({
    path: join(folder, 'stateeval.yaml'),
    environment: { STATEEVAL_URL: 'https://suite.example.com', STATEEVAL_HOME: join(folder, 'state') },
    commands: {},
  })
  expect((await read({ STATEEVAL_URL: 'http://here' })).environment).not.toHaveProperty('STATEEVAL_URL')
  expect(await readConfiguration('/', {})).toEqual({ path: null, environment: {}, commands: {} })
})

test('the key goes to no address that only the file names', async () => {
  await write('url: https://suite.example.com\n')
  const key = { STATEEVAL_API_KEY: 'k' }
  await expect(read(key)).rejects.toThrow('STATEEVAL_API_KEY_HOSTS')
  await expect(read({ ...key, STATEEVAL_API_KEY_HOSTS: 'a, suite.example.com' })).resolves.toBeDefined()
  await write('url: http://127.0.0.1:7400\n')
  await expect(read(key)).resolves.toBeDefined()
})

test.each([
  ['nope: 1', "there is no setting 'nope'. Settings are url"],
  ['url: 5', 'url must be a string'],
  ['- 1', 'must contain members'],
  ['a: [', 'is not valid YAML'],
  ['commands: 1', 'commands must contain a section'],
  ['commands: { shown: 1 }', 'commands.shown must contain options'],
  ['commands: { showed: {} }', "there is no command 'showed'"],
  ['commands: { shown: { sample: 1 } }', 'commands.shown.sample is not an option of the command'],
  ['commands: { shown: { samples: many } }', 'commands.shown.samples: '],
  ['commands: { shown: { fresh: yes-please } }', 'commands.shown.fresh must be true or false'],
])('what does not fit is named with its place: %s', async (text, says) => {
  await write(text)
  const { code, out, err } = await run(['--model', 'm'])
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(says)
})

test('init writes a file of comments, which become valid when they are removed', async () => {
  const described = describeCommands(commands)
  const text = formatConfigurationTemplate(described, null)
  expect(text.split('\n').filter((line) => line.length > 110)).toEqual([])
  expect(parse(text)).toBeNull()
  expect(parse(formatConfigurationTemplate(described, 'https://a.example'))).toEqual({
    url: 'https://a.example',
  })
  const active = parse(text.slice(text.indexOf('# commands:')).replaceAll(/^# /gm, '')) as {
    commands: Record<string, Record<string, unknown>>
  }
  for (const [name, section] of Object.entries(active.commands)) {
    const { options } = described.find((one) => one.name === name)!
    const flags = options.flatMap((option) => option.flags)
    for (const key of Object.keys(section))
      expect(flags.some((flag) => [`--${key}`, `--no-${key}`].includes(flag))).toBe(true)
  }
  expect(Object.keys(active.commands)).toEqual(expect.arrayContaining(['evaluate', 'build', 'report']))
})

test('init refuses to replace a file, and works beside a broken one', async () => {
  const before = process.cwd()
  process.chdir(folder)
  try {
    await write('broken: [')
    let [out, err] = ['', '']
    const streams = {
      stdout: { write: (text: string) => (out += text) },
      stderr: { write: (text: string) => (err += text) },
    }
    const program = createProgram(streams, new AbortController().signal, commands, () => read())
    expect(await program(['init'])).toBe(2)
    expect(err).toContain('exists. Edit it, or replace it with --force.')
    expect(await program(['init', '--force', '--url', 'http://127.0.0.1:7400', '--json'])).toBe(0)
    expect(JSON.parse(out)).toEqual({ path: join(folder, 'stateeval.yaml'), url: 'http://127.0.0.1:7400' })
    expect(await readFile(join(folder, 'stateeval.yaml'), 'utf8')).toContain(
      '\nurl: "http://127.0.0.1:7400"\n',
    )
  } finally {
    process.chdir(before)
  }
})
