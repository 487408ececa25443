/**
 * Containers behind gVisor: what is said where there can be none, and what a process that was killed leaves
 * to the next one.
 */
import { expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalSandbox } from '../local-sandbox.ts'
import { lackingContainers, openContainers, sweepContainers } from './containers.ts'

const lacks = lackingContainers()
if (lacks !== undefined) console.warn(`containers are not tried: ${lacks}`)
const withRunsc = lacks === undefined ? test : test.skip
const asRoot = process.getuid?.() === 0 ? test : test.skip

test('a sandbox of this level doesn’t start where runsc can’t be run; it says what to do', async () => {
  await expect(createLocalSandbox({ level: 'gvisor', runsc: '/nowhere/runsc' })).rejects.toThrow(
    /(needs root|\/nowhere\/runsc, which cannot be run).*STATEEVAL_RUNSC/s,
  )
})

test('nor where what is named is no runsc that works', async () => {
  await expect(createLocalSandbox({ level: 'gvisor', runsc: process.execPath })).rejects.toThrow(
    /STATEEVAL_RUNSC/,
  )
})

asRoot('folders of processes that are gone are removed, those of others stay', () => {
  const place = mkdtempSync(join(tmpdir(), 'stateeval-sweep-'))
  try {
    const live = openContainers(process.execPath, place)
    const [ownFolder] = readdirSync(place)
    const deadFolder = ownFolder!.replace(/-\d+-(\d+)-\d+$/, `-${process.pid}-1-1`)
    for (const name of [deadFolder, 'others']) mkdirSync(join(place, name, 'state'), { recursive: true })
    sweepContainers(place)
    expect(readdirSync(place).sort()).toEqual([ownFolder, 'others'].sort())
    void live.close()
    expect(readdirSync(place)).toEqual(['others'])
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})

withRunsc(
  'what a killed process has left is gone after the next start: processes, the mounted namespace, files',
  async () => {
    const place = mkdtempSync(join(tmpdir(), 'stateeval-sweep-'))
    try {
      const script = join(place, 'script.mjs')
      const source = (name: string) => JSON.stringify(join(import.meta.dirname, '..', name))
      writeFileSync(
        script,
        `import { createLocalSandbox } from ${source('local-sandbox.ts')}
import { createNoWorld } from ${source('no-world.ts')}
import { completeLimits } from ${source('limits.ts')}
const sandbox = await createLocalSandbox({ level: 'gvisor' })
const code = 'for (;;);'
void sandbox.run({ language: 'javascript', code, inputs: [{ variables: {}, world: {} }], world: createNoWorld(), limits: completeLimits({ wallMs: 60000, cpuSeconds: 60 }) }, new AbortController().signal)`,
      )
      const env = { ...process.env, TMPDIR: place }
      const child = spawn(process.execPath, ['--no-warnings', script], { env, stdio: 'inherit' })
      const ofPlace = () => processes().filter((line) => line.includes(`--root=${place}`))
      // In the middle of whatever it does there.
      while (ofPlace().length < 2 && child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 20))
      expect(ofPlace().length).toBeGreaterThan(0)
      child.kill('SIGKILL')
      await once(child, 'exit')
      openContainers(undefined, place)
      sweepContainers(place)
      for (let turn = 0; turn < 100 && ofPlace().length > 0; turn++)
        await new Promise((resolve) => setTimeout(resolve, 20))
      expect(ofPlace()).toEqual([])
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
