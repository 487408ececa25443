/**
 * Containers behind gVisor: what is said where there can be none, and what a process that was killed leaves
 * to the next one.
 */
import { expect, test } from '@jest/globals'
import { until } from '@stateeval/testkit/until'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalSandbox } from '@stateeval/sandbox'
import { findMissingContainers, openContainers, removeOldContainers } from '../../jail/src/containers.ts'

const lacks = findMissingContainers()
if (lacks !== undefined) console.warn(`containers are not tried: ${lacks}`)
const withRunsc = lacks === undefined ? test : test.skip

test('a sandbox of this level doesn’t start where runsc cannot be run; it says what to do', async () => {
  await expect(createLocalSandbox({ level: 'gvisor', runsc: '/nowhere/runsc' })).rejects.toThrow(
    /(needs root|\/nowhere\/runsc, which cannot be run).*STATEEVAL_RUNSC/s,
  )
})

test('nor where what is named is no runsc that works', async () => {
  await expect(createLocalSandbox({ level: 'gvisor', runsc: process.execPath })).rejects.toThrow(
    /STATEEVAL_RUNSC/,
  )
})

withRunsc(
  'what a killed process has left is gone after the next start: processes, the mounted namespace, files',
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'stateeval-sweep-'))
    try {
      const script = join(place, 'script.mjs')
      writeFileSync(
        script,
        `import { completeLimits, createLocalSandbox, createNoWorld } from ${JSON.stringify(import.meta.resolve('@stateeval/sandbox'))}
const sandbox = await createLocalSandbox({ level: 'gvisor' })
const code = 'for (;;);'
void sandbox.run({ language: 'javascript', code, inputs: [{ variables: {}, world: {} }], world: createNoWorld(), limits: completeLimits({ wallMs: 60000, cpuSeconds: 60 }) }, new AbortController().signal)`,
      )
      const env = { ...process.env, TMPDIR: place }
      const child = spawn(process.execPath, ['--no-warnings', script], { env, stdio: 'inherit' })
      const ofPlace = () => processes().filter((line) => line.includes(`--root=${place}`))
      // In the middle of whatever it does there.
      await until(() => ofPlace().length >= 2 || child.exitCode !== null)
      expect(ofPlace().length).toBeGreaterThan(0)
      child.kill('SIGKILL')
      await once(child, 'exit')
      openContainers(undefined, place)
      removeOldContainers(place)
      await until(() => ofPlace().length === 0)
      expect(readFileSync('/proc/self/mounts', 'utf8')).not.toContain(
        `${place}/stateeval-gvisor-0-${child.pid}-`,
      )
      expect(readdirSync(place).filter((name) => name.includes(`-${child.pid}-`))).toEqual([])
      expect(existsSync(script)).toBe(true)
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  },
)

function processes(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] : []
    } catch {
      return []
    }
  })
}
