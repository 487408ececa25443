/** Types the blocks of one page in one shell and one Python, in their order. */
import { patience } from '@stateeval/testkit/patience'
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { type Block, isShell } from '../../scripts/snippets/blocks.ts'

export interface Ran {
  code: number | null
  out: string
  err: string
}
interface Place {
  folder: string
  /** Folders of programs that come before those of the machine. */
  path: readonly string[]
  environment: Readonly<Record<string, string>>
  /** Of the evaluation service, for the client of Python: commands find it themselves. */
  url?: string
}

/** A command that takes longer has hung. */
const longestMs = 15 * 60_000
/** A server that is not ready by then has hung. */
const readyMs = patience(3 * 60_000)

const environmentOf = ({ path, environment }: Place) => {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
  return { ...env, ...environment, PATH: [...path, process.env['PATH']].join(':') }
}

/** What a process has printed so far, and its end. */
function listen(child: ChildProcess) {
  const ran: Ran = { code: null, out: '', err: '' }
  child.stdout?.on('data', (piece: Buffer) => (ran.out += piece.toString('utf8')))
  child.stderr?.on('data', (piece: Buffer) => (ran.err += piece.toString('utf8')))
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      ran.code = code
      resolve(ran)
    })
  })
  return { ran, ended }
}

/** Ends a process with all that it started. */
function end({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGTERM')
  } catch {
    // It has ended already.
  }
}

const inShell = (script: string, place: Place) =>
  spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: place.folder,
    env: environmentOf(place),
    stdio: ['ignore', 'pipe', 'pipe'],
    // With the processes that it starts.
    detached: true,
  })

/** Runs a script to its end. */
export async function bash(script: string, place: Place): Promise<Ran> {
  const child = inShell(script, place)
  const { ran, ended } = listen(child)
  const late = setTimeout(() => {
    ran.err += `\nStopped after ${longestMs / 60_000} minutes.`
    end(child)
  }, longestMs)
  try {
    return await ended
  } finally {
    clearTimeout(late)
  }
}

/** A reader of one page. `close` ends the servers that the page started. */
export function createReader(place: Place, environmentFor: (tools: string) => string) {
  const servers: ChildProcess[] = []
  const sessions = new Map<string, ReturnType<typeof pythonSession>>()
  const inPython = {
    ...place,
    environment: { ...place.environment, ...(place.url !== undefined && { STATEEVAL_URL: place.url }) },
  }
  const placeFor = (block: Block): Place => {
    if (block.runWith !== null) return { ...inPython, path: [environmentFor(block.runWith), ...place.path] }
    return isShell(block) ? place : inPython
  }

  /** Later blocks have what a block exports, except PATH: a block may have the programs of an environment. */
  const typed = (script: string) =>
    `if [ -e .exported ]; then . ./.exported; fi\n${script}\n(export -n PATH; export -p) > .exported`

  /** Starts a server and waits until it says that it is ready. */
  async function serve(script: string, ready: string, at: Place): Promise<Ran> {
    const child = inShell(`if [ -e .exported ]; then . ./.exported; fi\n${script}`, at)
    servers.push(child)
    const { ran, ended } = listen(child)
    const due = Date.now() + readyMs
    let isOver = false
    void ended.finally(() => (isOver = true)).catch(() => {})
    while (!isOver && Date.now() < due) {
      if (`${ran.out}${ran.err}`.includes(ready)) return { ...ran, code: 0 }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    return { ...ran, err: `${ran.err}\nThe server did not say "${ready}".` }
  }

  async function python(block: Block, text: string): Promise<Ran> {
    const name = block.runWith ?? ''
    const session = sessions.get(name) ?? pythonSession(placeFor(block))
    sessions.set(name, session)
    return session.run(`${block.page}:${block.line}`, text)
  }

  return {
    type: (block: Block, text: string): Promise<Ran> => {
      if (!isShell(block)) return python(block, text)
      const at = placeFor(block)
      return block.serves === null ? bash(typed(text), at) : serve(text, block.serves, at)
    },
    close: async (): Promise<void> => {
      for (const session of sessions.values()) session.close()
      for (const server of servers) {
        const isRunning = server.exitCode === null && server.signalCode === null
        end(server)
        if (isRunning) await once(server, 'close')
      }
    },
  }
}

function pythonSession(place: Place) {
  const driver = join(import.meta.dirname, 'python_session.py')
  const child = spawn('python3', [driver], { cwd: place.folder, env: environmentOf(place), stdio: 'pipe' })
  const { stdin, stdout, stderr } = child as ChildProcessByStdio<Writable, Readable, Readable>
  let err = ''
  stderr.on('data', (piece: Buffer) => (err += piece.toString('utf8')))
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return {
    run: async (name: string, text: string): Promise<Ran> => {
      err = ''
      stdin.write(`${JSON.stringify({ name, text })}\n`)
      const { value, done } = await lines.next()
      if (done === true) return { code: 1, out: '', err: `${err}\nPython has ended.` }
      const { failure } = JSON.parse(value) as { failure: string | null }
      return { code: failure === null ? 0 : 1, out: '', err: `${err}${failure ?? ''}` }
    },
    close: () => child.kill(),
  }
}
