import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { afterEach, expect, test } from '@jest/globals'
import { listDescendants, readOwnMemory, measureUsage } from './process-tree.ts'

const python = '/usr/bin/python3'
const started: ChildProcess[] = []
const start = (command: string, ...args: string[]) => {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  started.push(child)
  return child as ChildProcess & { pid: number }
}
afterEach(() => {
  for (const { pid } of started.splice(0))
    for (const each of listDescendants(pid!).reverse()) process.kill(each, 'SIGKILL')
})

test('pages that forks share count once', async () => {
  if (!existsSync(python) || readOwnMemory(process.pid) === undefined)
    return console.log('not run: it takes Python, and a kernel that tells')
  const code =
    'import os, sys, time\nx = bytearray(b"x") * (64 << 20)\nfor _ in range(3):\n    if os.fork() == 0:\n        time.sleep(60)\nprint(len(x), flush=True)\ntime.sleep(60)'
  const { pid, stdout } = start(python, '-S', '-c', code)
  await new Promise((resolve) => stdout!.once('data', resolve))
  const [ownMiB, counted] = [readOwnMemory(pid)!, measureUsage(pid).memoryBytes].map(
    (bytes) => bytes / 2 ** 20,
  ) as [number, number]
  expect(listDescendants(pid)).toHaveLength(4)
  expect(counted).toBeGreaterThan(4 * 64)
  expect(ownMiB).toBeGreaterThan(64)
  expect(ownMiB).toBeLessThan(128)
  expect(readOwnMemory(2 ** 30)).toBe(0)
})

test('memory that processes share with one another counts, once', async () => {
  if (!existsSync(python) || readOwnMemory(process.pid) === undefined)
    return console.log('not run: it takes Python, and a kernel that tells')
  const code =
    'import mmap, os, time\nx = mmap.mmap(-1, 64 << 20)\nx.write(b"x" * len(x))\nif os.fork() == 0:\n    x[:] = b"y" * len(x)\n    print(len(x), flush=True)\ntime.sleep(60)'
  const { pid, stdout } = start(python, '-S', '-c', code)
  await new Promise((resolve) => stdout!.once('data', resolve))
  expect(measureUsage(pid).memoryBytes).toBeGreaterThan(2 * 64 * 2 ** 20)
  expect(readOwnMemory(pid)).toBeGreaterThan(64 * 2 ** 20)
  expect(readOwnMemory(pid)).toBeLessThan(2 * 64 * 2 ** 20)
})

test('who waits for a core is seen waiting', async () => {
  if (measureUsage(process.pid).starvedMs.size === 0) return console.log('not run: this kernel doesn’t tell')
  const { pid } = start(
    'sh',
    '-c',
    `for i in $(seq ${3 * availableParallelism()}); do (while :; do :; done) & done; wait`,
  )
  const waited = () => [...measureUsage(pid).starvedMs.values()].reduce((sum, ms) => sum + ms, 0)
  // More of them than cores: some wait at any time.
  while (waited() < 100) await new Promise((resolve) => setTimeout(resolve, 20))
})
