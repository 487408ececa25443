/**
 * Programs that also run alone, as declared in package.json: backends of scenarios, and servers in
 * packages.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { checkout } from './home.ts'

/** Default port of a scenario's server, whether it needs a MongoDB or a folder, and whether it speaks MCP. */
interface ServedScenario {
  port: number
  mongodb?: true
  mcp?: true
  folder?: true
}

/** With its main file, relative to the checkout. */
type ServedFile = ServedScenario & { main: string }

/** Finds the served scenarios by name, lowest port first. */
export function findServedScenarios(root = checkout): Readonly<Record<string, ServedFile>> {
  const entries = globSync(['scenarios/*/package.json', 'packages/*/package.json'], { cwd: root }).flatMap(
    (file) => {
      const { stateeval } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
        stateeval?: { serve?: ServedScenario }
      }
      const folder = dirname(file)
      const main = join(folder, folder.startsWith('packages') ? 'src' : 'backend', 'main.ts')
      return stateeval?.serve ? [[basename(folder), { ...stateeval.serve, main }] as const] : []
    },
  )
  return Object.fromEntries(entries.sort(([, a], [, b]) => a.port - b.port))
}
