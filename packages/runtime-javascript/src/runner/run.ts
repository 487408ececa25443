/** Runs one job: the variables become globals, the code runs, and RESULT is read when no work is left. */
import { Writable } from 'node:stream'
import { constants, Script } from 'node:vm'
import { candidateGlobals, candidateMeta } from '../program/candidate-globals.ts'
import { candidateFile, defaultName, importName, metaName, reportName } from '../program/names.ts'
import { encodeFrame, frameFd, type InputJob, type RunOutcome, unfinished } from '@stateeval/runtime/protocol'
import type { SurfaceResult } from '@stateeval/runtime'
import { capture, captureSyntax, framesKept } from './capture.ts'
import { writeAll } from './io.ts'
import { alsoGive, giveFiles, load, namespace, recordWith } from './modules.ts'
import { type Reader, resultOf } from './readers.ts'
import { Recorder } from './recorder.ts'
import { resultText } from './result.ts'
import { decoded, surfaceCode, surfaceFile, surroundingsOf, type SurfaceModule } from './surface.ts'
import { openCalls } from './calls.ts'
import { completeMemoryUsage } from './memory-usage.ts'
import { cut } from './texts.ts'

type Exit = (code: number) => void
const exits = process as NodeJS.Process & { reallyExit: Exit }
const exitOfNode = exits.reallyExit.bind(process)
const { stringify } = JSON

interface Run {
  job: InputJob
  recorder: Recorder | undefined
  encoded: (value: unknown) => unknown
}
let current: Run | undefined
let sent = false
/** The descriptor of outcomes. */
let outcomes = frameFd
let settled = false
let exit: Exit = exitOfNode
const readers: Reader[] = []

function send(text: string) {
  if (sent) return
  sent = true
  writeAll(outcomes, encodeFrame(current?.recorder?.added(text) ?? text))
}
const end = (outcome: Exclude<RunOutcome, { status: 'completed' }>) => send(stringify(outcome))
/** An error ends the run at once, as it ends any Node program. */
function fail(error: unknown) {
  end({ status: 'threw', error: capture(error) })
  exit(1)
}

/** RESULT as it is when nothing is left to do. */
function finish() {
  const { job, recorder, encoded } = current!
  try {
    const value = encoded(resultOf(readers))
    const result =
      value === undefined && !settled
        ? { status: 'no_result' as const, reason: unfinished }
        : resultText(value, job.resultBytes - (recorder?.bytes ?? 0))
    if ('text' in result) send(`{"status":"completed","result":${result.text}}`)
    else end(result)
  } catch (error) {
    end({ status: 'no_result', reason: `RESULT cannot be read: ${cut(capture(error).message, 300)}` })
  }
  exit(0)
}

/**
 * Prepares the process for its program. `exitBy` ends the process: Node’s exit waits for threads that a
 * forked child does not have.
 */
export function stage(exitBy: Exit = exitOfNode) {
  exit = exitBy
  exits.reallyExit = exitBy
  completeMemoryUsage()
  process.on('exit', finish)
  // A program that handles these itself goes on.
  process.on('uncaughtException', (error) => process.listenerCount('uncaughtException') > 1 || fail(error))
  process.on('unhandledRejection', (error) => process.listenerCount('unhandledRejection') > 1 || fail(error))
  for (const name of ['stdout', 'stderr'] as const)
    Object.defineProperty(process, name, { value: output(), configurable: true, writable: true })
  hidden(reportName, (read: () => unknown, top: boolean) => void (readers[readers.length] = { read, top }))
  hidden(importName, async (name: unknown) => namespace(name))
  hidden(metaName, candidateMeta())
  hidden(defaultName, undefined)
}

const globalsOf = ({ baseUrl }: InputJob, variables: Record<string, unknown>) => ({
  ...content.globals,
  ...candidateGlobals({ variables, baseUrl }, load),
})

/**
 * Runs a job as if it were one, and its outcome goes to another descriptor: what runs in every child is then
 * compiled, and knows what it meets.
 */
export async function pretend(job: InputJob, fd: number) {
  const exitAfter = exit
  exit = () => {}
  outcomes = fd
  await run(job)
  finish()
  for (const name of Object.keys(globalsOf(job, job.variables)))
    delete (globalThis as Record<string, unknown>)[name]
  delete process.env['BASE_URL']
  readers.length = 0
  sent = settled = false
  current = undefined
  outcomes = frameFd
  exit = exitAfter
}

export function run(job: InputJob): Promise<void> | undefined {
  const recorder = job.capture
    ? new Recorder(
        { reply: job.capture, maxRequests: job.capture.maxRequests, bytes: job.resultBytes },
        (status) => {
          end({ status })
          exit(1)
        },
      )
    : undefined
  if (recorder) recordWith(recorder)
  if (job.capture?.files) giveFiles(job.capture.files)
  if (job.capture?.fetch) recorder?.attachFetch(globalThis)
  current = { job, recorder, encoded: (value) => value }
  const variables = surround(job)
  if (variables instanceof Error) {
    end({ status: 'threw', error: capture(variables) })
    exit(1)
    return
  }
  if (content.modules) alsoGive(content.modules)
  const { encode } = content
  if (encode) current.encoded = (value) => (value === undefined ? undefined : encode(value))
  for (const [name, value] of Object.entries(globalsOf(job, variables)))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true })
  if (job.baseUrl !== null) process.env['BASE_URL'] = job.baseUrl

  Error.stackTraceLimit = framesKept
  const main = compile(job)
  if (main instanceof Error) {
    end({ status: 'syntax', error: captureSyntax(main) })
    exit(1)
  } else
    return main.call(globalThis).then(() => {
      settled = true
    }, fail)
}

/** The layer between the host’s functions and the code. */
let content: SurfaceResult = {}
const bounds = { resultBytes: 0 }

/** The error of the surface's module. */
let failure: unknown

/** Compiles and runs a surface’s module. */
export function loadSurface(surface: NonNullable<InputJob['surface']>) {
  try {
    const load = new Script(surfaceCode(surface), {
      filename: surfaceFile,
    }).runInThisContext() as SurfaceModule
    content = surroundingsOf(load, openCalls(bounds))
  } catch (error) {
    failure = error
  }
}

/** The variables as the code sees them, or why there are none. */
function surround({ surface, variables, resultBytes }: InputJob): Record<string, unknown> | Error {
  bounds.resultBytes = resultBytes
  if (surface) loadSurface(surface)
  if (failure !== undefined) return failure as Error
  try {
    return decoded(variables, content)
  } catch (error) {
    return error as Error
  }
}

function compile({ source, columnOffset }: InputJob): (() => Promise<unknown>) | Error {
  try {
    const script = new Script(source, {
      filename: candidateFile,
      columnOffset,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    return script.runInThisContext() as () => Promise<unknown>
  } catch (error) {
    return error as Error
  }
}

const hidden = (name: string, value: unknown) =>
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })

/**
 * Output goes out at once and in order: a program that floods is seen flooding, and nothing is lost at its
 * end.
 */
const output = () =>
  new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      writeAll(1, chunk)
      done()
    },
  })
