/**
 * Every block of the documentation, checked without running it: command lines by the command line's own
 * parser, requests against the contracts, settings against their schemas, programs by their languages. That
 * the commands do what they should is the work of e2e/documentation.test.ts.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { LiveApi, ModelSettings, findSchemaFault } from '@stateeval/contracts'
import { Command } from 'commander'
import type { TSchema } from 'typebox'
import ts from 'typescript'

import { parse } from 'yaml'
import { commands } from '../../apps/cli/src/commands/index.ts'
import { applyDefaults } from '../../apps/cli/src/configuration/defaults.ts'
import type { ConfigurationFile } from '../../apps/cli/src/configuration/file.ts'
import { createProgram } from '../../apps/cli/src/program.ts'
import { root } from '../generated.ts'
import { type Block, blocks, isShell } from './blocks.ts'
import { requestFault, requestOf } from './http.ts'
import { commandsOf, type SimpleCommand } from './shell.ts'

const all = blocks()
const place = ({ page, line }: Block) => `${page}:${line}`
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

/** Commands that take their options and do nothing. */
const idle = commands.map((module) => ({ ...module, run: () => Promise.resolve(0 as const) }))
async function parserFault(args: string[]): Promise<string | null> {
  let err = ''
  const streams = { stdout: { write: () => 0 }, stderr: { write: (text: string) => (err += text) } }
  const code = await createProgram(streams, new AbortController().signal, idle)(args)
  return code === 0 ? null : err.trim()
}

/** What is wrong with a command as it is typed; null where nothing is, or nobody here knows the program. */
async function commandFault({ words }: SimpleCommand): Promise<string | null> {
  const [program, ...args] = words[0] === 'npx' ? words.slice(1) : words
  const missing = (file: string) => (existsSync(join(root, file)) ? null : `there is no file ${file}`)
  if (program === 'stateeval') return parserFault(args)
  if (program === 'curl') return requestFault(requestOf(words))
  if (program === 'npm' && (args[0] === 'run' || args[0] === 'test')) {
    const script = args[0] === 'run' ? args[1]! : 'test'
    return script in scripts ? null : `there is no script ${script}`
  }
  if (program === 'node' && args[0]?.endsWith('.ts')) return missing(args[0])
  if (/^(?:scripts|deploy)\//.test(program!)) return missing(program!)
  return null
}

test('shell is split into commands', () => {
  const script = 'A=1 npx x --a "b c" \\\n  d | jq . > out  # no\nfor i in 1; do curl \'a\nb\'; done || g=$?'
  expect(commandsOf(script)).toEqual([
    { variables: { A: '1' }, words: ['npx', 'x', '--a', 'b c', 'd'], line: 1 },
    { variables: {}, words: ['jq', '.'], line: 2 },
    { variables: {}, words: ['i', 'in', '1'], line: 3 },
    { variables: {}, words: ['curl', 'a\nb'], line: 3 },
  ])
})

test('a wrong option, route and body are found', async () => {
  const fault = async (text: string) => commandFault(commandsOf(text)[0]!)
  expect(await fault('npx stateeval evaluate --benchmark x --modle y')).toContain("unknown option '--modle'")
  expect(await fault('npx stateeval evaluate --benchmark x --samples many')).toContain('--samples')
  expect(await fault('curl localhost:7403/v1/execution')).toContain('no operation has the path')
  expect(await fault('curl localhost:7403/v1/executions -d \'{"code": 1}\'')).toContain('code')
  expect(await fault('npm run nothing')).toBe('there is no script nothing')
})

test('every command line in the documentation is one that its program takes', async () => {
  const faults: string[] = []
  let count = 0
  for (const block of all.filter(isShell))
    for (const command of commandsOf(block.text)) {
      count++
      const fault = await commandFault(command)
      if (fault !== null) faults.push(`${place(block)}+${command.line}: ${command.words.join(' ')}: ${fault}`)
    }
  expect(faults).toEqual([])
  expect(count).toBeGreaterThan(200)
})

test('shell in the documentation is valid, and commands stand in blocks of shell', () => {
  const text = all.filter(isShell).map((block) => `: ${place(block)}\n${block.text}\n`)
  expect(() => execFileSync('bash', ['-n'], { input: text.join('') })).not.toThrow()
  const unmarked = all.filter(
    (block) => block.language === '' && /^(?:\w+=\S+ )*(?:npx|curl|npm|scripts\/\S+) /m.test(block.text),
  )
  expect(unmarked.map(place)).toEqual([])
})

test('data in the documentation fits its schema', () => {
  const faults: string[] = []
  const hold = (block: Block, schema: TSchema, value: unknown) => {
    const fault = findSchemaFault(schema, value)
    if (fault) faults.push(`${place(block)}: ${fault.field} ${fault.says}`)
  }
  const chart = JSON.parse(
    readFileSync(join(root, 'deploy/helm/stateeval/values.schema.json'), 'utf8'),
  ) as TSchema & { properties: object }
  for (const block of all.filter(({ language }) => language === 'json')) {
    const value = JSON.parse(block.text) as Record<string, unknown>
    if ('model' in value && 'baseUrl' in value) hold(block, ModelSettings, value)
    else if (Object.values(value).every((one) => typeof one === 'object' && one !== null && 'baseUrl' in one))
      for (const one of Object.values(value)) hold(block, LiveApi, one)
  }
  for (const block of all.filter(({ language }) => language === 'yaml')) {
    const value = parse(block.text) as Record<string, unknown>
    if ('commands' in value || 'url' in value) expect(configured(value)).toBeGreaterThan(0)
    else if (Object.keys(value).every((name) => name in chart.properties))
      for (const [name, part] of Object.entries(value))
        hold(block, { ...chart, required: [] }, { [name]: part })
  }
  expect(faults).toEqual([])
})

/** The number of options that a configuration file sets; throws where a command does not take one. */
function configured(value: Record<string, unknown>): number {
  const sections = (value['commands'] ?? {}) as ConfigurationFile['commands']
  const names = commands.map(({ name }) => name.split(' ')[0]!)
  for (const name of Object.keys(sections)) {
    const command = new Command(name)
    commands[names.indexOf(name)]?.configure?.(command)
    applyDefaults(command, { path: 'stateeval.yaml', environment: {}, commands: sections }, names)
  }
  return Object.values(sections).flatMap((section) => Object.keys(section)).length
}

test('programs in the documentation are valid', () => {
  const python = all.filter(({ language }) => language === 'python')
  const compile = 'import json,sys\nfor name, text in json.load(sys.stdin): compile(text, name, "exec")'
  const input = JSON.stringify(python.map((block) => [place(block), block.text]))
  expect(() => execFileSync('python3', ['-c', compile], { input, stdio: 'pipe' })).not.toThrow()
  for (const block of all.filter(({ language }) => /^(?:js|ts|javascript|typescript)$/.test(language))) {
    const { diagnostics } = ts.transpileModule(block.text, {
      reportDiagnostics: true,
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext },
    })
    expect([place(block), diagnostics?.map(({ messageText }) => messageText)]).toEqual([place(block), []])
  }
})

test('few blocks are not run, each for a reason', () => {
  const notRun = all.filter(({ notRun: reason }) => reason !== null)
  console.log(notRun.map((block) => `not run: ${place(block)}: ${block.notRun}`).join('\n'))
  expect(notRun.length).toBeLessThanOrEqual(31)
})
