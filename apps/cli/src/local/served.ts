/** The scenarios whose backend also runs on its own, as their package.json says. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { checkout } from './home.ts'

/** Where a backend listens by default, whether it needs a MongoDB, and whether it speaks MCP. */
interface Served {
  port: number
  mongodb?: true
  mcp?: true
}

/** By scenario, those with the lowest port first. */
export function servedScenarios(root = checkout): Readonly<Record<string, Served>> {
  const entries = globSync('scenarios/*/package.json', { cwd: root }).flatMap((file) => {
    const { stateeval } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      stateeval?: { serve?: Served }
    }
    return stateeval?.serve ? [[basename(dirname(file)), stateeval.serve] as const] : []
  })
  return Object.fromEntries(entries.sort(([, a], [, b]) => a.port - b.port))
}
