/** A run of tests, checks or measurements that is interrupted, killed or fails leaves no process behind. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { until } from '@stateeval/testkit'
import { root } from './generated.ts'

const folder = mkdtempSync(join(tmpdir(), 'stateeval-interrupt-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Commands of the processes that have inherited the variable. */
const commandsWith = (variable: string) =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(variable)
      return isOurs ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] : []
    } catch {
      return []
    }
  })

/** Starts Node in a separate process group, as a shell does, and marks what it starts. */
function startMarked(args: readonly string[]) {
  const mark = `STATEEVAL_TEST_MARK_${randomUUID().replaceAll('-', '')}`
  const run = spawn(process.execPath, args, {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, [mark]: '1' },
  })
  return { run, commands: () => commandsWith(mark) }
}

async function endsWithAll(run: ChildProcess, commands: () => string[], end: () => void) {
  const exit = new Promise((resolve) => run.once('exit', resolve))
  end()
  await exit
  await until(() => commands().length === 0).catch(() => expect(commands()).toEqual([]))
}

/** Two files, so that Jest starts workers. They start a server, a service and a detached process. */
const { default: ours } = (await import(join(root, 'jest.config.js'))) as { default: { projects: object[] } }
const project = { ...ours, projects: undefined, ...ours.projects[0], rootDir: folder, roots: [folder] }
const config = join(folder, 'jest.config.json')
writeFileSync(config, JSON.stringify(project))
const kit = join(root, 'packages/testkit/src/index.ts')
const parts = {
  one: "spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })",
  two: `const { startProcess, startServers } = await import(${JSON.stringify(kit)})
    const servers = await startServers()
    await startProcess('scoring', { ...servers.env, STATEEVAL_NAMESPACE: 'interrupt' })`,
}
for (const [name, start] of Object.entries(parts))
  writeFileSync(
    join(folder, `${name}.test.ts`),
    `import { spawn } from 'node:child_process'
     import { writeFileSync } from 'node:fs'
     import { test } from '@jest/globals'
     test('hangs', async () => {
       ${start}
       writeFileSync(${JSON.stringify(join(folder, `${name}.ready`))}, '')
       await new Promise(() => {})
     })`,
  )

const endings: [string, (run: ChildProcess) => void][] = [
  ['SIGINT to the group, as from a terminal', ({ pid }) => void process.kill(-pid!, 'SIGINT')],
  ['SIGTERM', (run) => void run.kill('SIGTERM')],
  ['SIGHUP', (run) => void run.kill('SIGHUP')],
  ['SIGKILL', (run) => void run.kill('SIGKILL')],
]
test.each(endings)('Jest, its workers and what tests start end together: %s', async (_, end) => {
  const jest = join(root, 'node_modules/jest/bin/jest.js')
  const { run, commands } = startMarked([jest, '--config', config, '--maxWorkers', '2'])
  const ready = Object.keys(parts).map((name) => join(folder, `${name}.ready`))
  await until(() => {
    expect(run.exitCode).toBeNull()
    return ready.every((file) => existsSync(file))
  })
  for (const file of ready) rmSync(file)
  const started = commands()
  for (const part of ['jest.js', 'processChild', 'services/scoring', 'sleep 600'])
    expect(started.filter((command) => command.includes(part)).length).toBeGreaterThan(0)
  await endsWithAll(run, commands, () => end(run))
})

test('checks end with the run', async () => {
  const { run, commands } = startMarked(['scripts/run-tests.ts'])
  await until(() => commands().some((command) => command.includes('oxlint')))
  await endsWithAll(run, commands, () => run.kill('SIGKILL'))
})

test('servers and services of a measurement end with it', async () => {
  const { run, commands } = startMarked(['perf/run.ts', 'coordinator'])
  await until(() => commands().some((command) => command.includes('services/evaluation')))
  await endsWithAll(run, commands, () => run.kill('SIGTERM'))
})
