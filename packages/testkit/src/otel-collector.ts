/** A real OpenTelemetry collector that Go builds once, from modules pinned in otel-collector/go.mod. */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './servers.ts'
import { until } from './until.ts'

const source = join(import.meta.dirname, 'otel-collector')

/** Its path, or why it cannot be built. */
export function otelCollectorBinary(): { ok: true; path: string } | { ok: false; reason: string } {
  const texts = ['go.mod', 'go.sum', 'main.go'].map((name) => readFileSync(join(source, name)))
  const digest = createHash('sha256').update(Buffer.concat(texts)).digest('hex').slice(0, 12)
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const folder = join(cache, 'stateeval', 'otel-collector')
  const path = join(folder, digest)
  if (existsSync(path)) return { ok: true, path }
  const temporary = `${path}.${process.pid}`
  try {
    mkdirSync(folder, { recursive: true })
    execFileSync('go', ['build', '-mod=readonly', '-trimpath', '-o', temporary, '.'], {
      cwd: source,
      env: { ...process.env, CGO_ENABLED: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 900_000,
    })
    renameSync(temporary, path)
    return { ok: true, path }
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: Buffer }
    return { ok: false, reason: stderr?.toString().trim().split('\n').at(-1) || message }
  }
}

/** The data that a collector received, by sender: names of spans, of log events, and of metrics. */
interface Received {
  spans: Map<string, Set<string>>
  events: Map<string, Set<string>>
  metrics: Map<string, Set<string>>
}
export interface OtelCollector {
  endpoint: string
  received(): Received
  /** What its exporter printed. */
  readonly output: string
  /** What it said of itself. */
  readonly log: string
  stop(): Promise<void>
}

/** What stands before the name of each in the exporter's output. */
const names = {
  spans: /^ {4}Name +: (.+)$/,
  events: /^EventName: (.+)$/,
  metrics: /^ {5}-> Name: (.+)$/,
} as const

function readOutput(output: string): Received {
  const received: Received = { spans: new Map(), events: new Map(), metrics: new Map() }
  let service = ''
  for (const line of output.split('\n')) {
    service = /-> service\.name: Str\((.*)\)$/.exec(line)?.[1] ?? service
    for (const [kind, pattern] of Object.entries(names) as [keyof Received, RegExp][]) {
      const name = pattern.exec(line)?.[1]
      if (name === undefined) continue
      const ofService = received[kind].get(service) ?? new Set()
      received[kind].set(service, ofService.add(name))
    }
  }
  return received
}

/** Starts it on a free port. */
export async function startOtelCollector(path: string): Promise<OtelCollector> {
  const port = await freePort()
  const pipeline = { receivers: ['otlp'], exporters: ['debug'] }
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: { debug: { verbosity: 'detailed', use_internal_logger: false } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { traces: pipeline, logs: pipeline, metrics: pipeline },
    },
  }
  // JSON is YAML.
  const child = spawn(path, [`--config=yaml:${JSON.stringify(config)}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, log] = ['', '']
  child.stdout.on('data', (text: Buffer) => (output += text.toString()))
  child.stderr.on('data', (text: Buffer) => (log += text.toString()))
  const exit = new Promise((resolve) => child.once('close', resolve))
  const endpoint = `http://127.0.0.1:${port}`
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(`the collector ended: ${log}`)
      return fetch(endpoint).catch(() => null)
    },
    { everyMs: 50 },
  )
  return {
    endpoint,
    received: () => readOutput(output),
    get output() {
      return output
    },
    get log() {
      return log
    },
    async stop() {
      child.kill()
      await exit
    },
  }
}
