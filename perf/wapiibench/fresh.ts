/**
 * Peer: what the published evaluator does, one `node` process a candidate, with axios-mock-adapter before the
 * code; no jail.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Observation } from '@stateeval/contracts'

const cwd = join(import.meta.dirname, '../..')
const mark = '\u0001request '

/** The mock tells what the world `axios-capture` would. */
const mock = `{ const Mock = require('axios-mock-adapter'); const axios = require('axios'); new Mock(axios).onAny().reply((config) => {
  const { method, url, baseURL, headers, params, data } = config
  const packaged = data && Array.isArray(data._streams)
  const parts = packaged ? data._streams.flatMap((head, at) => at % 3 ? [] : [[/name="([^"]*)"/.exec(String(head))?.[1] ?? '', String(data._streams[at + 1])]]) : data
  const dataType = packaged ? 'form-data' : data === undefined ? undefined : typeof data
  process.stdout.write(${JSON.stringify(mark)} + JSON.stringify({ method, url, baseURL, uri: axios.getUri({ url, baseURL, params }), headers, params, data: parts, dataType }) + '\\n')
  return [200] }) }\n`

/** What hangs is ended after this time, which no busy machine reaches, in milliseconds. */
const hungMs = 600_000

/**
 * Runs code as a script of its own, on the standard input of a fresh process. Rejects if it is ended by a
 * signal: that says nothing about the code.
 */
export function runFresh(code: string): Promise<Observation> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-'], {
      cwd,
      env: { PATH: process.env['PATH'] },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), hungMs)
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject).on('close', (exit, signal) => {
      clearTimeout(timer)
      if (exit === null) return reject(new Error(`a fresh process was ended by ${signal}`))
      const requests = output
        .split('\n')
        .flatMap((line) => (line.startsWith(mark) ? [JSON.parse(line.slice(mark.length)) as unknown] : []))
      const error = { name: 'Error', message: `it ended with ${exit}` }
      resolve({
        ending: exit === 0 ? { status: 'no_result', reason: '' } : { status: 'threw', error },
        world: { state: { requests }, ids: { initial: [], created: [] }, gone: [] },
        log: [],
        output: '',
        faults: [],
        wallMs: 0,
        sandbox: 'none',
      })
    })
    child.stdin.end(mock + code)
  })
}
