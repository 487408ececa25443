/** Inspect’s viewer on a log of the same samples: its list of samples in the same browser. */
import { execFile, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { freePort, until } from '@stateeval/testkit'
import { startBrowser } from '../../e2e/dashboard/browser.ts'
import { pythonTools } from '../../scripts/python-tools.ts'
import { browserMiB } from './watch.ts'

interface Viewed {
  firstRowsMs: number
  memory: { page: number; all: number }
  notes: string
}

/** What its viewer took, or why it was not measured. */
export async function inspectViewer(url: string, say: (text: string) => void): Promise<Viewed | string> {
  const tools = pythonTools('inspect')
  if (!tools.ok) return tools.reason
  const folder = await mkdtemp(join(tmpdir(), 'stateeval-inspect-'))
  try {
    const [json, logs] = [join(folder, 'log.json'), join(folder, 'logs')]
    await mkdir(logs)
    const answer = await fetch(url)
    if (!answer.ok || !answer.body) return `its log could not be made: ${await answer.text()}`
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(json))
    say(`the log has ${Math.round((await stat(json)).size / 2 ** 20)} MiB`)
    const convert = ['log', 'convert', '--to', 'eval', '--output-dir', logs, json]
    await promisify(execFile)(tools.bin('inspect'), convert, { timeout: 1_200_000 })
    say('converted')
    return await viewed(tools.bin('inspect'), logs, folder)
  } catch (error) {
    return (error as Error).message.split('\n').slice(0, 2).join(' ').slice(0, 300)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function viewed(inspect: string, logs: string, cwd: string): Promise<Viewed> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const viewer = spawn(inspect, ['view', 'start', '--log-dir', logs, '--port', String(port)], {
    stdio: 'ignore',
    cwd,
  })
  const browser = await startBrowser()
  try {
    const files = await until(
      async () => {
        const response = await fetch(`${base}/api/logs`).catch(() => null)
        return response?.ok && ((await response.json()) as { files: { name: string }[] }).files
      },
      { everyMs: 500 },
    )
    const name = (files as { name: string }[])[0]!.name.split('/').at(-1)!
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    const began = performance.now()
    await page.goto(`${base}/#/logs/${encodeURIComponent(name)}/samples`, { waitUntil: 'commit' })
    await page.getByText('session-service-').first().waitFor({ timeout: 600_000 })
    const firstRowsMs = performance.now() - began
    await page.waitForTimeout(2_000)
    return {
      firstRowsMs,
      memory: browserMiB(),
      notes:
        'Inspect’s viewer shows a log in its own form (.eval), with the same samples, in the same browser.',
    }
  } finally {
    await browser.close()
    viewer.kill('SIGKILL')
  }
}
