/**
 * Snippets of TypeScript, JavaScript and Go fit the clients, the libraries and the sources that they use.
 * With STATEEVAL_LONG=1: the compilers take a while, and Go's module proxy is asked the first time.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { root } from '../generated.ts'
import { writeGoClient } from '../go-client.ts'
import { type Block, blocks } from './blocks.ts'

const isLong = process.env['STATEEVAL_LONG'] === '1'
const whenLong = isLong ? test : test.skip
const goAt = ['go', '/usr/local/go/bin/go'].find((go) => spawnSync(go, ['version']).status === 0)
if (isLong && goAt === undefined) console.info('skipped: snippets of Go: there is no go on PATH')
const whenGo = isLong && goAt !== undefined ? test : test.skip

const folder = mkdtempSync(join(tmpdir(), 'stateeval-snippets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const blocksOf = (...languages: string[]) => blocks().filter(({ language }) => languages.includes(language))

/** What the text around the snippets of a page has said already. */
const given: Readonly<Record<string, (text: string) => string>> = {
  'clients/typescript/README.md': (text) => text,
  'docs/webhooks.md': (text) =>
    `declare const body: string, headers: Record<string, string>
declare global { namespace NodeJS { interface ProcessEnv { WEBHOOK_SECRET: string } } }
${text}`,
  // Fields of an object: of metrics, or of their schema.
  'CONTRIBUTING.md': (text) =>
    `import { Type } from 'typebox'
import type { Program } from '@stateeval/contracts'
import { isCall } from ${JSON.stringify(join(root, 'packages/program/src/expr.ts'))}
import { listWrittenSteps } from ${JSON.stringify(join(root, 'packages/program/src/metrics/paths.ts'))}
declare const program: Program
export const fields = { ${text} }
export const used = [Type, isCall, listWrittenSteps, program]`,
}

const compilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
  ...{ target: 'es2024', lib: ['es2024', 'esnext.array', 'esnext.iterator', 'esnext.disposable'] },
  ...{ module: 'nodenext', types: ['node'] },
  paths: { stateeval: [join(root, 'clients/typescript/src/index.ts')] },
}

/** The compiler's messages about programs; empty where there are none. */
function messagesOf(programs: readonly (readonly [name: string, text: string])[]): string {
  const project = mkdtempSync(join(folder, 'typescript-'))
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'))
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  for (const [name, text] of programs) writeFileSync(join(project, name), `${text}\nexport {}\n`)
  const files = programs.map(([name]) => name)
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  return spawnSync(process.execPath, [compiler, '-p', project], { cwd: project, encoding: 'utf8' }).stdout
}

const nameOf = ({ page, line }: Block) => `${page.replaceAll(/\W/g, '-')}-${line}`

whenLong(
  'TypeScript and JavaScript: each snippet is accepted by the compiler, and a misspelt one is not',
  () => {
    const all = blocksOf('js', 'ts', 'javascript', 'typescript')
    expect(all.map(({ page }) => page).filter((page) => !given[page])).toEqual([])
    expect(all.length).toBeGreaterThan(3)
    const programs = all.map((block) => [`${nameOf(block)}.ts`, given[block.page]!(block.text)] as const)
    const misspelt = programs.map(
      ([name, text]) => [`wrong-${name}`, text.replace('programs: 60', 'program: 60')] as const,
    )
    const messages = messagesOf([...programs, ...misspelt.filter(([, text]) => text.includes('program: 60'))])
    expect(messages.split('\n').filter((line) => /^\S/.test(line))).toEqual([
      expect.stringMatching(/^wrong-clients-typescript-README-md-\d+\.ts\(.*'program' does not exist/),
    ])
  },
)

/** A snippet as a program: Go refuses names that nothing uses. */
function goProgram(text: string): string {
  const declarations = text.split('\n').filter((line) => line.includes(' := '))
  const names = new Set(declarations.flatMap((line) => line.split(' := ')[0]!.trim().split(', ')))
  const packages: Record<string, string> = {
    context: 'context',
    log: 'log',
    os: 'os',
    stateeval: 'stateeval.dev/client',
    evaluation: 'stateeval.dev/client/evaluation',
  }
  const body = `func snippet(ctx context.Context) {\n${text}\n${[...names].map((name) => `_ = ${name}`).join('\n')}\n}`
  const used = Object.entries(packages).filter(([name]) => new RegExp(`\\b${name}\\.`).test(body))
  const imports = used.map(([name, path]) => `import ${name} ${JSON.stringify(path)}`)
  return ['package main', ...imports, body, 'func main() { snippet(context.Background()) }', ''].join('\n')
}

whenGo('Go: each snippet compiles with the client, and a misspelt one does not', () => {
  const all = blocksOf('go')
  expect(all.length).toBeGreaterThan(0)
  expect(writeGoClient()).toBe('')
  // Its module has what the client needs, with the sums.
  const client = join(root, 'clients/go')
  const run = (overlay: Record<string, string>) => {
    const file = join(folder, 'overlay.json')
    const replaced = Object.entries(overlay).map(([name, text], at) => {
      const path = join(folder, `snippet-${at}.go`)
      writeFileSync(path, text)
      return [join(client, 'snippets', name, 'main.go'), path]
    })
    writeFileSync(file, JSON.stringify({ Replace: Object.fromEntries(replaced) }))
    const targets = Object.keys(overlay).map((name) => `./snippets/${name}`)
    return spawnSync(goAt!, ['build', '-o', '/dev/null', '-overlay', file, ...targets], {
      cwd: client,
      encoding: 'utf8',
      env: { ...process.env, GOFLAGS: '-mod=readonly' },
    })
  }
  for (const block of all) {
    const good = run({ [nameOf(block)]: goProgram(block.text) })
    // What Go itself says while it fetches modules is no fault.
    const faults = good.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('go: '))
    expect([block.page, faults, good.status]).toEqual([block.page, [], 0])
    const wrong = run({ wrong: goProgram(block.text.replace('Scenario:', 'Scenery:')) })
    expect(wrong.stderr).toContain('unknown field Scenery')
  }
})
