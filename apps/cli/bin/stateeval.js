#!/usr/bin/env node
// Runs src/main.ts on Node 24. Kept in old syntax so that any Node can at least say what is missing.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const pinned = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url))
// What was compiled once is found by the next command and by the services that it starts, which take half as
// long to start then. In a folder of the user's own: whoever may write there may say what runs.
process.env.NODE_COMPILE_CACHE ||= join(
  process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
  'stateeval',
  'compiled',
)
if (Number(process.versions.node.split('.')[0]) >= 24) {
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  await import(main)
} else if (existsSync(pinned)) {
  const child = spawn(pinned, [main, ...process.argv.slice(2)], { stdio: 'inherit' })
  // Whoever ends this process means the command: nothing of it may go on without it. Ctrl-C goes to both.
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGINT', () => {})
  child.on('error', ({ message }) => {
    process.stderr.write(`stateeval: ${pinned} can't be run: ${message}\n`)
    process.exitCode = 2
  })
  child.on('exit', (status) => {
    process.exitCode = status === null ? 2 : status
  })
} else {
  process.stderr.write(
    `stateeval needs Node 24 and this is ${process.version}: run 'npm ci' here, which brings it, or install Node 24.\n`,
  )
  process.exitCode = 2
}
