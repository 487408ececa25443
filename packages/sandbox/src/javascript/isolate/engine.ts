/** One program in one V8 isolate, created from a snapshot and discarded after the run. Runs in the jail. */
import { Agent, request as send } from 'node:http'
import { formatWithOptions } from 'node:util'
import type IsolatedVm from 'isolated-vm'
import { candidateFile } from '../program/names.ts'
import { maxReason, type WarmJob, type WarmReport } from '../../warm/protocol.ts'
import type { SnapshotKind } from './bundle.ts'
import type { Inside } from './inside/entry.ts'
import type { Answer, SentRequest } from './inside/shims/http.ts'
import { surfaceCode, surfaceFile, type SurfaceModule } from '../runner/surface.ts'
import { Printed } from './printed.ts'

type Isolates = typeof IsolatedVm
const functionNames = [
  'start',
  'surround',
  'run',
  'answer',
  'reply',
  'fireTimer',
  'nextTimer',
  'finish',
] as const
type Functions = {
  [Name in Exclude<(typeof functionNames)[number], 'start'>]: IsolatedVm.Reference<Inside[Name]>
} & {
  /** The door is a callback here, and a function inside. */
  start: IsolatedVm.Reference<(door: IsolatedVm.Callback, start: string) => void>
}

/** V8 ends a program that needs more; what isn’t heap is seen from outside. */
const heapShare = 0.75
/**
 * Answers of a run, and replies to its calls, in bytes. What they are made of on their way stays in this
 * process for a while, where it would count as the program's memory; a process of its own counts it as it is.
 */
const maxAnswered = 4 * 1024 * 1024

interface Engine {
  run(job: WarmJob): Promise<WarmReport>
  /** The reply of a call, whoever asked. */
  reply(id: number, text: string): void
}

/** The way of calls to the host. */
interface CallDoor {
  call(id: number, name: string, args: string): void
  callSync(id: number, name: string, args: string): string
}

/** An isolate that no program has seen, and the ways into it. */
interface FreshIsolate {
  kind: SnapshotKind
  memoryMiB: number
  isolate: IsolatedVm.Isolate
  context: IsolatedVm.Context
  functions: Functions
}

/** A program that hides the name is run by a process, as if it needed any other module. */
const kindOf = ({ source, capture }: WarmJob): SnapshotKind =>
  capture || source.includes('axios') ? 'axios' : 'bare'

/**
 * `snapshots` are made by bundle.ts from inside/entry.ts. While idle, the next isolate is created, which
 * takes half as long as an ordinary program.
 */
export function createEngine(
  ivm: Isolates,
  snapshots: Record<SnapshotKind, ArrayBuffer>,
  door: CallDoor,
): Engine {
  const copies = { axios: new ivm.ExternalCopy(snapshots.axios), bare: new ivm.ExternalCopy(snapshots.bare) }
  const make = (kind: SnapshotKind, memoryMiB: number) => makePlace(ivm, copies[kind], kind, memoryMiB)
  let spare: FreshIsolate | undefined
  let current: Run | undefined
  const take = (kind: SnapshotKind, memoryMiB: number) => {
    const spareIsolate = spare
    spare = undefined
    if (
      spareIsolate?.memoryMiB === memoryMiB &&
      spareIsolate.kind === kind &&
      !spareIsolate.isolate.isDisposed
    )
      return spareIsolate
    spareIsolate?.isolate.dispose()
    return make(kind, memoryMiB)
  }
  return {
    async run(job) {
      const kind = kindOf(job)
      const report = await new Promise<WarmReport>((resolve) => {
        current = new Run(ivm, take(kind, job.memoryMiB), job, door, resolve)
      })
      current = undefined
      // After the report is on its way.
      if (!report.tainted) setImmediate(() => (spare ??= make(kind, job.memoryMiB)))
      return report
    },
    reply: (id, text) => current?.reply(id, text),
  }
}

function makePlace(
  ivm: Isolates,
  snapshot: IsolatedVm.ExternalCopy<ArrayBuffer>,
  kind: SnapshotKind,
  memoryMiB: number,
): FreshIsolate {
  const isolate = new ivm.Isolate({ snapshot, memoryLimit: Math.floor(memoryMiB * heapShare) })
  const context = isolate.createContextSync()
  const inside = context.global.getSync('__inside', { reference: true }) as IsolatedVm.Reference<
    Record<string, unknown>
  >
  context.global.deleteSync('__inside')
  const functions = Object.fromEntries(
    functionNames.map((name) => [name, inside.getSync(name, { reference: true })]),
  )
  return { kind, memoryMiB, isolate, context, functions: functions as Functions }
}

/** Never the same number twice: a late reply is nobody else’s. */
let calls = 0

class Run {
  readonly #isolate: IsolatedVm.Isolate
  readonly #door: CallDoor
  /** Calls without a reply yet: the number that the isolate gave each, by the number on the channel. */
  readonly #calls = new Map<number, number>()
  readonly #agent = new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 })
  readonly #printed: Printed
  readonly #resolve: (report: WarmReport) => void
  readonly #begun = performance.now()
  readonly #cpu = process.cpuUsage()
  #functions: Functions | undefined
  #outcome: string | null = null
  #bail: string | null = null
  #outOfMemory = false
  #waiting = 0
  #answered = 0
  #timer: NodeJS.Timeout | undefined
  #ended = false
  #startedMs = 0

  constructor(
    ivm: Isolates,
    { isolate, context, functions }: FreshIsolate,
    job: WarmJob,
    door: CallDoor,
    resolve: (report: WarmReport) => void,
  ) {
    this.#door = door
    this.#resolve = resolve
    this.#printed = new Printed(job.outputBytes)
    this.#isolate = isolate
    this.#enter(() => {
      const { variables, baseUrl, resultBytes, capture } = job
      const proxies = job.source.includes('Proxy')
      const start = JSON.stringify({ variables, baseUrl, resultBytes, capture, env: environment(), proxies })
      functions.start.applySync(undefined, [new ivm.Callback(this.#host), start])
      if (job.surface) {
        const module = compiledSurface(this.#isolate, job.surface)
        const load = module.runSync(context, { reference: true }) as IsolatedVm.Reference<SurfaceModule>
        functions.surround.applySync(undefined, [load.derefInto()])
      }
      const script = this.#isolate.compileScriptSync(job.source, {
        filename: candidateFile,
        columnOffset: job.columnOffset,
      })
      const main = script.runSync(context, { reference: true }) as IsolatedVm.Reference<
        () => Promise<unknown>
      >
      this.#startedMs = performance.now() - this.#begun
      this.#functions = functions
      functions.run.applySync(undefined, [main.derefInto()])
    })
  }

  /** Runs code of the isolate, then looks whether anything is left to do. */
  #enter(work: () => void) {
    if (this.#ended) return
    clearTimeout(this.#timer)
    try {
      work()
    } catch (error) {
      if (!this.#isolate.isDisposed)
        this.#bail ??= `an error that only a process can tell of: ${String((error as Error).message).slice(0, 100)}`
      else if (this.#outcome === null && this.#bail === null) this.#outOfMemory = true
      return this.#end()
    }
    this.#goOn()
  }

  /** All timers that are due are run in a row, as in Node. */
  #goOn() {
    const { nextTimer, fireTimer, finish } = this.#functions!
    let delay: number | undefined
    try {
      while ((delay = nextTimer.applySync(undefined, [])) === 0) fireTimer.applySync(undefined, [])
      if (delay === undefined && this.#waiting === 0) {
        finish.applySync(undefined, [])
        return this.#end()
      }
    } catch {
      if (this.#outcome === null && this.#bail === null) {
        if (this.#isolate.isDisposed) this.#outOfMemory = true
        else this.#bail = 'an error that only a process can tell of'
      }
      return this.#end()
    }
    if (delay !== undefined)
      this.#timer = setTimeout(
        () => this.#enter(() => this.#functions!.fireTimer.applySync(undefined, [])),
        delay,
      )
  }

  readonly #host = (op: string, ...args: unknown[]): unknown => {
    if (this.#ended) return undefined
    switch (op) {
      case 'print':
        return this.#print(formatWithOptions({}, ...(args[0] as unknown[])) + '\n')
      case 'write':
        return this.#print(String(args[0]))
      case 'url':
        return urlParts(args)
      case 'request':
        return this.#send(
          Number(args[0]),
          JSON.parse(String(args[1])) as SentRequest,
          args[2] as string | undefined,
        )
      case 'call': {
        const id = ++calls
        this.#calls.set(id, Number(args[0]))
        this.#waiting++
        return this.#door.call(id, String(args[1]), String(args[2]))
      }
      case 'callSync': {
        const reply = this.#door.callSync(++calls, String(args[0]), String(args[1]))
        if (this.#holds(reply.length)) return reply
        this.#bail ??= 'large answers'
        return this.#isolate.dispose()
      }
      case 'end':
        this.#outcome ??= String(args[0])
        return args[1] === true ? this.#isolate.dispose() : undefined
      default:
        this.#bail ??= String(args[0]).slice(0, maxReason)
        return this.#isolate.dispose()
    }
  }

  reply(id: number, text: string) {
    const callId = this.#calls.get(id)
    if (callId === undefined) return
    if (!this.#holds(text.length)) return this.#give('large answers')
    this.#calls.delete(id)
    this.#enter(() => {
      this.#waiting--
      this.#functions!.reply.applySync(undefined, [callId, text])
    })
  }

  /** A flood ends the program. */
  #print(text: string) {
    if (!this.#printed.push(text)) this.#isolate.dispose()
  }

  /** Counts an answer; false where this process would hold too much of them. */
  #holds(bytes: number): boolean {
    this.#answered += bytes
    return this.#answered <= maxAnswered
  }

  #give(what: string) {
    if (this.#ended) return
    this.#bail ??= what
    this.#end()
  }

  #send(
    id: number,
    { method, path, hostname, port, headers, auth, insecureHTTPParser }: SentRequest,
    body: string | undefined,
  ) {
    this.#waiting++
    const failed = (what: string) => () => this.#give(what)
    try {
      const clientRequest = send(
        {
          method,
          path,
          hostname,
          port,
          headers: headers as Record<string, string>,
          agent: this.#agent,
          insecureHTTPParser: insecureHTTPParser === true,
          ...(auth !== undefined && { auth }),
        },
        (response) => {
          const status = response.statusCode ?? 0
          if (response.headers['content-encoding'] !== undefined) return failed('a compressed answer')()
          if (status >= 300 && status < 400 && response.headers.location !== undefined)
            return failed('a redirect')()
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk)
            if (!this.#holds(chunk.length)) failed('large answers')()
          })
          response.on('error', failed('an answer that breaks off'))
          response.on('end', () => {
            const bytes = Buffer.concat(chunks)
            const answer: Answer = {
              status,
              statusText: response.statusMessage ?? '',
              headers: response.headers as Answer['headers'],
              body: bytes.toString('utf8'),
              bytes: bytes.length,
            }
            // Once the connection is free again, as in a process: the next request, which the code may send
            // at once, takes it.
            process.nextTick(() =>
              this.#enter(() => {
                this.#waiting--
                this.#functions!.answer.applySync(undefined, [id, JSON.stringify(answer)])
              }),
            )
          })
        },
      )
      clientRequest.on('error', failed('a request that fails'))
      clientRequest.end(body)
    } catch {
      // Thrown at once: an argument that Node refuses. The isolate is running: it ends when it returns.
      this.#bail ??= 'a request that cannot be made'
      this.#isolate.dispose()
    }
  }

  #end() {
    if (this.#ended) return
    this.#ended = true
    clearTimeout(this.#timer)
    this.#agent.destroy()
    if (!this.#isolate.isDisposed) this.#isolate.dispose()
    const { user, system } = process.cpuUsage(this.#cpu)
    this.#resolve({
      outcome: this.#outcome,
      code: null,
      signal: null,
      ...this.#printed.end(),
      outOfMemory: this.#outOfMemory && !this.#printed.flood,
      violation: null,
      bail: this.#bail,
      // A request that nobody waits for may still arrive: it must not meet the next program.
      tainted: this.#outOfMemory || this.#waiting > this.#calls.size,
      cpuMs: (user + system) / 1000,
      timings: { startMs: this.#startedMs, runMs: performance.now() - this.#begun - this.#startedMs },
    })
  }
}

/**
 * What V8 made of the surfaces that this runner has met: to compile the largest one takes 2.7 ms. They are
 * compiled before candidate code starts.
 */
const compiled = new Map<string, IsolatedVm.ExternalCopy<ArrayBuffer>>()
const maxCompiled = 8

function compiledSurface(
  isolate: IsolatedVm.Isolate,
  surface: NonNullable<WarmJob['surface']>,
): IsolatedVm.Script {
  const cachedData = compiled.get(surface.key)
  const script: IsolatedVm.Script & IsolatedVm.CachedDataResult = isolate.compileScriptSync(
    surfaceCode(surface),
    { filename: surfaceFile, ...(cachedData ? { cachedData } : { produceCachedData: true }) },
  )
  if (script.cachedData && compiled.size < maxCompiled) compiled.set(surface.key, script.cachedData)
  return script
}

/** What a program sees of the environment, in the order in which a process has it. */
const visibleNames = new Set(['HOME', 'PATH', 'PWD', 'TMPDIR', 'TZ', 'LANG'])
const environment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => visibleNames.has(name)))

function urlParts([url, base, part, value]: unknown[]): string | undefined {
  try {
    const parsedUrl = base === undefined ? new URL(String(url)) : new URL(String(url), String(base))
    if (typeof part === 'string') Reflect.set(parsedUrl, part, String(value))
    const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } =
      parsedUrl
    return JSON.stringify({
      href,
      origin,
      protocol,
      username,
      password,
      host,
      hostname,
      port,
      pathname,
      search,
      hash,
    })
  } catch {
    return undefined
  }
}
