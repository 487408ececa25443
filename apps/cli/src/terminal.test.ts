import { closeSync, openSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import { createTerminal } from './terminal.ts'

const hostile = 'Error:\u001b]52;c;ZXZpbA==\u0007 \u009b2J a\rb\tc\r\nd\u007f'

/** A terminal and what it was written. */
function recorded({ isTTY, colors = false }: { isTTY: boolean; colors?: boolean }) {
  const output = { stdout: '', stderr: '' }
  const stdout = { isTTY, write: (text: string) => (output.stdout += text) }
  const stderr = { isTTY, write: (text: string) => (output.stderr += text) }
  return { output, terminal: createTerminal(false, { stdout, stderr, colors }) }
}

test('what a model wrote does not steer the terminal that shows it', () => {
  const { output, terminal } = recorded({ isTTY: true })
  terminal.result(null, () => hostile)
  expect(output.stdout).toContain('Error:␛]52;c;ZXZpbA==␇ \ufffd2J a␍b\tc\r\nd␡\n')
  terminal.step(hostile)
  expect(output.stderr).toContain('Error:␛]52;c;ZXZpbA==␇ ')
})

test('what turns the direction of writing is shown as a sign', () => {
  const { output, terminal } = recorded({ isTTY: true })
  terminal.result(null, () => 'a \u202edessap\u202c b \u2066c\u2069, \u05d0\u05d1')
  expect(output.stdout).toBe('a \ufffddessap\ufffd b \ufffdc\ufffd, \u05d0\u05d1\n')
})

test('our own colours are shown', () => {
  const { output, terminal } = recorded({ isTTY: true })
  terminal.result(null, () => '\u001b[32mpassed\u001b[39m')
  expect(output.stdout).toBe('\u001b[32mpassed\u001b[39m\n')
})

test('what goes to a file keeps its bytes', () => {
  const { output, terminal } = recorded({ isTTY: false })
  terminal.result(null, () => hostile)
  expect(output.stdout).toBe(`${hostile}\n`)
})

test.each([
  [{ FORCE_COLOR: '1' }, true],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
])('NO_COLOR wins over FORCE_COLOR: %j', (variables, isColored) => {
  const script = `import { createTerminal } from ${JSON.stringify(import.meta.resolve('./terminal.ts'))}
const terminal = createTerminal(false, { ...process, colors: true })
terminal.result(null, () => terminal.colors.red('red'))`
  const { NO_COLOR: _, FORCE_COLOR: __, ...others } = process.env
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...others, ...variables },
  })
  expect(stdout).toBe(isColored ? '\u001b[31mred\u001b[39m\n' : 'red\n')
})

/** Runs the command with each stream as a pipe whose reader leaves, or as a file descriptor. */
async function runWith(args: string[], streams: { stdout?: number; stderr?: number; leaves: string[] }) {
  const { stdout = 'pipe', stderr = 'pipe', leaves } = streams
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    stdio: ['ignore', stdout, stderr],
  })
  let err = ''
  child.stderr?.on('data', (piece: Buffer) => (err += piece.toString()))
  child.stdout?.resume()
  if (leaves.includes('stdout')) child.stdout?.destroy()
  if (leaves.includes('stderr')) child.stderr?.destroy()
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, err }
}

test('a reader who goes early, such as head, gets no words about it, and no gate seems to have failed', async () => {
  expect(await runWith(['schema', 'report'], { leaves: ['stdout'] })).toEqual({ code: 141, err: '' })
  expect(await runWith(['nope'], { leaves: ['stderr'] })).toEqual({ code: 141, err: '' })
  expect(await runWith(['schema', 'report'], { leaves: ['stdout', 'stderr'] })).toEqual({
    code: 141,
    err: '',
  })
})

test('output that cannot be written is an error, not a failed gate', async () => {
  const full = openSync('/dev/full', 'w')
  expect(await runWith(['schema', 'report'], { stdout: full, leaves: [] })).toMatchObject({ code: 2 })
  expect(await runWith(['nope'], { stderr: full, leaves: [] })).toMatchObject({ code: 2 })
  closeSync(full)
})
