/** Logs on a full disk and on a long run. `/dev/full` refuses every write as a full disk does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { countDroppedLines, openLogStream } from '../src/log-stream.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'stateeval-log-'))))
afterAll(() => rm(folder, { recursive: true }))

const onLinux = existsSync('/dev/full') ? test : test.skip

onLinux('a log that cannot be written ends nothing: what does not fit is dropped and counted', () => {
  const fd = openSync('/dev/full', 'a')
  const stream = openLogStream({ fd, waitingBytes: 1000 })
  const before = countDroppedLines()
  for (let n = 0; n < 100; n++) stream.write(`${'x'.repeat(99)}\n`)
  expect(countDroppedLines() - before).toBe(90)
  closeSync(fd)
})

onLinux('a process whose log is full goes on, and ends as it would', async () => {
  const script = `
    import { createLog } from '${join(import.meta.dirname, '../src/log.ts')}'
    const log = createLog('toy', { level: 'info' })
    for (let n = 0; n < 50_000; n++) log.info({ n }, 'a line')
    process.exitCode = 7`
  const full = openSync('/dev/full', 'a')
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', full, full],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  closeSync(full)
  expect(code).toBe(7)
})

onLinux('a file is rotated while it is written: no line is lost or torn, and two files remain', () => {
  const path = join(folder, 'service.log')
  const fd = openSync(path, 'a')
  const stream = openLogStream({ fd, rotateBytes: 5000 })
  const read = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1).map(Number)
  const line = (n: number) => stream.write(`${String(n).padStart(9, '0')}\n`)
  for (let n = 0; n < 1000; n++) line(n)
  const kept = [...read(`${path}.1`), ...read(path)]
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, n) => 1000 - kept.length + n))
  expect(kept.length).toBeGreaterThan(450)
  closeSync(fd)
})
