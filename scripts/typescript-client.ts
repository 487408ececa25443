/**
 * Builds clients/typescript/dist: the typed client and the contracts as JavaScript with declarations, in
 * one package that `npm pack` or `npm publish` takes as it is. Names of workspaces become relative paths.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './generated.ts'

const folder = join(root, 'clients/typescript')
const dist = join(folder, 'dist')

/** Places of the two workspaces' modules in dist. */
const modules: Readonly<Record<string, string>> = {
  '@stateeval/client': 'packages/client/src/index.js',
  '@stateeval/contracts': 'packages/contracts/src/index.js',
  '@stateeval/contracts/is-record': 'packages/contracts/src/basics/is-record.js',
  '@stateeval/contracts/json': 'packages/contracts/src/basics/json.js',
}

/** @throws Error with the compiler's messages where the sources do not compile */
export function buildTypescriptClient(): void {
  rmSync(dist, { recursive: true, force: true })
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`tsc: ${stdout}`)
  for (const file of globSync('**/*.{js,d.ts}', { cwd: dist })) {
    const path = join(dist, file)
    const text = readFileSync(path, 'utf8')
    const linked = text.replace(/(['"])(@stateeval\/[^'"]+)\1/g, (_, quote: string, name: string) => {
      const target = modules[name]
      if (target === undefined) throw new Error(`${file} imports ${name}, which the package does not hold`)
      const place = relative(dirname(path), join(dist, target))
      return `${quote}${place.startsWith('.') ? place : `./${place}`}${quote}`
    })
    if (linked !== text) writeFileSync(path, linked)
  }
}

if (import.meta.main) buildTypescriptClient()
