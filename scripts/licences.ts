/**
 * Fails where a dependency's licence is unknown or does not go together with Apache-2.0: npm packages by the
 * lock file (and by their own manifests, where they are installed), Go modules of the embedded servers by
 * licences.json beside their go.mod (and by their licences' texts, where Go has fetched them).
 *
 *   node scripts/licences.ts checks node scripts/licences.ts --write writes the list of the Go modules'
 *   licences, from their texts
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { root } from './generated.ts'
import { goModules, licenceOf } from './licences/go.ts'
import { isAllowed, shippedLicences, toolLicences } from './licences/allowed.ts'

interface LockedPackage {
  license?: string
  dev?: boolean
  link?: boolean
}

/**
 * Lists the faults of a lock file's npm packages, one line each. `manifest` reads an installed package's own.
 */
export function npmFaults(
  packages: Readonly<Record<string, LockedPackage>>,
  manifest: (path: string) => { license?: unknown } | null,
): string[] {
  return Object.entries(packages).flatMap(([path, { license, dev, link }]) => {
    if (link || !path.includes('node_modules/')) return []
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (license === undefined) return [`${name} names no licence`]
    const manifestLicence = manifest(path)?.license
    if (typeof manifestLicence === 'string' && manifestLicence !== license)
      return [`${name} is ${license} by the lock file and ${manifestLicence} by its own manifest`]
    return isAllowed(license, dev ? toolLicences : shippedLicences)
      ? []
      : [`${name} is ${license}, which is not allowed${dev ? '' : ' for what is shipped'}`]
  })
}

/**
 * Lists the faults of the licences listed for the modules that go.mod names. `text` reads a fetched module's
 * licence.
 */
export function goFaults(
  module: string,
  listed: Readonly<Record<string, string>>,
  text: (name: string, version: string) => string | null,
): string[] {
  const modules = goModules(module)
  const names = new Set(modules.map(({ name }) => name))
  const remedy = 'Run: node scripts/licences.ts --write'
  return [
    ...Object.keys(listed).flatMap((name) => (names.has(name) ? [] : [`${name} is in no go.mod. ${remedy}`])),
    ...modules.flatMap(({ name, version }) => {
      const licence = listed[name]
      if (licence === undefined) return [`the licence of ${name} is not listed. ${remedy}`]
      const fetched = text(name, version)
      const textLicence = fetched === null ? licence : licenceOf(fetched)
      if (textLicence !== licence)
        return [`${name} is listed as ${licence}, and its text is ${textLicence ?? 'unknown'}`]
      return isAllowed(licence, shippedLicences) ? [] : [`${name} is ${licence}, which is not allowed`]
    }),
  ]
}

const servers = join(root, 'packages/local-servers/server')
const listFile = join(servers, 'licences.json')
const read = (path: string) => readFileSync(path, 'utf8')
const json = (path: string): unknown => JSON.parse(read(path))

/** The text of a module's licence in Go's module cache; null where it was not fetched. */
function fetchedLicence(name: string, version: string): string | null {
  const { GOMODCACHE, GOPATH } = process.env
  const cache = GOMODCACHE ?? join(GOPATH ?? join(homedir(), 'go'), 'pkg/mod')
  // Capitals are written as ! and the small letter there.
  const folder = join(
    cache,
    `${name}@${version}`.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`),
  )
  if (!existsSync(folder)) return null
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)(?:\.\w+)?$/i.test(entry))
  return file === undefined ? null : read(join(folder, file))
}

function main(): string[] {
  const module = read(join(servers, 'go.mod'))
  if (process.argv.includes('--write')) {
    const before = existsSync(listFile) ? (json(listFile) as Record<string, string>) : {}
    const entries = goModules(module).map(({ name, version }) => {
      const fetched = fetchedLicence(name, version)
      return [name, (fetched === null ? before[name] : licenceOf(fetched)) ?? 'unknown']
    })
    writeFileSync(listFile, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`)
  }
  const lock = json(join(root, 'package-lock.json')) as { packages: Record<string, LockedPackage> }
  const manifest = (path: string) => {
    const file = join(root, path, 'package.json')
    return existsSync(file) ? (json(file) as { license?: unknown }) : null
  }
  return [
    ...npmFaults(lock.packages, manifest),
    ...goFaults(module, json(listFile) as Record<string, string>, fetchedLicence),
  ]
}

if (import.meta.main) {
  const faults = main()
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}
