#!/usr/bin/env node
// Runs src/main.ts on Node 24. Kept in old syntax so that any Node can at least say what is missing.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const pinned = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url))
if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import(main)
} else if (existsSync(pinned)) {
  const child = spawnSync(pinned, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = child.status === null ? 2 : child.status
} else {
  process.stderr.write(`stateeval needs Node 24 and this is ${process.version}: run 'npm ci' here, which brings it, or install Node 24.\n`)
  process.exitCode = 2
}
