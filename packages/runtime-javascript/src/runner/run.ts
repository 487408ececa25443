/** Runs one job: the variables become globals, the code runs, and RESULT is read when no work is left. */
import { Writable } from 'node:stream'
import { constants, Script } from 'node:vm'
import { createCandidateGlobals, createImportMeta } from '../program/candidate-globals.ts'
import { candidateFile, defaultName, importName, metaName, reportName } from '../program/names.ts'
import { encodeFrame, frameFd, type InputJob, type RunOutcome, unfinished } from '@stateeval/runtime/protocol'
import type { SurfaceResult } from '@stateeval/runtime'
import { captureThrown, captureSyntaxError, framesKept } from './capture.ts'
import { writeAll } from './io.ts'
import { addModules, giveFiles, load, createNamespace, setRecorder } from './modules.ts'
import { type ResultReader, readResult } from './readers.ts'
import { RequestRecorder } from './recorder.ts'
import { formatResult } from './result.ts'
import {
  decodeVariables,
  wrapSurfaceCode,
  surfaceFile,
  loadSurroundings,
  type SurfaceModule,
} from './surface.ts'
import { openCalls } from './calls.ts'
import { installMemoryUsage } from './memory-usage.ts'
import { cutTo } from './texts.ts'

type ProcessExit = (code: number) => void
const exits = process as NodeJS.Process & { reallyExit: ProcessExit }
const exitOfNode = exits.reallyExit.bind(process)
const { stringify } = JSON

interface InputRun {
  job: InputJob
  recorder: RequestRecorder | undefined
  encoded: (value: unknown) => unknown
}
let current: InputRun | undefined
let sent = false
/** The descriptor of outcomes. */
let outcomes = frameFd
let settled = false
let exit: ProcessExit = exitOfNode
const readers: ResultReader[] = []

function send(text: string) {
  if (sent) return
  sent = true
  writeAll(outcomes, encodeFrame(current?.recorder?.added(text) ?? text))
}
const end = (outcome: Exclude<RunOutcome, { status: 'completed' }>) => send(stringify(outcome))
/** An error ends the run at once, as it ends any Node program. */
function fail(error: unknown) {
  end({ status: 'threw', error: captureThrown(error) })
  exit(1)
}

/** RESULT as it is when nothing is left to do. */
function finish() {
  const { job, recorder, encoded } = current!
  try {
    const value = encoded(readResult(readers))
    const result =
      value === undefined && !settled
        ? { status: 'no_result' as const, reason: unfinished }
        : formatResult(value, job.resultBytes - (recorder?.bytes ?? 0))
    if ('text' in result) send(`{"status":"completed","result":${result.text}}`)
    else end(result)
  } catch (error) {
    end({ status: 'no_result', reason: `RESULT cannot be read: ${cutTo(captureThrown(error).message, 300)}` })
  }
  exit(0)
}

/**
 * Prepares the process for its program. `exitBy` ends the process: Node’s exit waits for threads that a
 * forked child does not have.
 */
export function prepareStage(exitBy: ProcessExit = exitOfNode) {
  exit = exitBy
  exits.reallyExit = exitBy
  installMemoryUsage()
  process.on('exit', finish)
  // A program that handles these itself continues.
  process.on('uncaughtException', (error) => process.listenerCount('uncaughtException') > 1 || fail(error))
  process.on('unhandledRejection', (error) => process.listenerCount('unhandledRejection') > 1 || fail(error))
  for (const name of ['stdout', 'stderr'] as const)
    Object.defineProperty(process, name, { value: createOutput(), configurable: true, writable: true })
  defineHidden(
    reportName,
    (read: () => unknown, top: boolean) => void (readers[readers.length] = { read, top }),
  )
  defineHidden(importName, async (name: unknown) => createNamespace(name))
  defineHidden(metaName, createImportMeta())
  defineHidden(defaultName, undefined)
}

const createGlobals = ({ baseUrl }: InputJob, variables: Record<string, unknown>) => ({
  ...content.globals,
  ...createCandidateGlobals({ variables, baseUrl }, load),
})

/**
 * Runs a job as if it were one, and its outcome goes to another descriptor: what runs in every child is then
 * compiled, and knows what it meets.
 */
export async function rehearseJob(job: InputJob, fd: number) {
  const exitAfter = exit
  exit = () => {}
  outcomes = fd
  await run(job)
  finish()
  for (const name of Object.keys(createGlobals(job, job.variables)))
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
    ? new RequestRecorder(
        { reply: job.capture, maxRequests: job.capture.maxRequests, bytes: job.resultBytes },
        (status) => {
          end({ status })
          exit(1)
        },
      )
    : undefined
  if (recorder) setRecorder(recorder)
  if (job.capture?.files) giveFiles(job.capture.files)
  if (job.capture?.fetch) recorder?.attachFetch(globalThis)
  current = { job, recorder, encoded: (value) => value }
  const variables = openSurroundings(job)
  if (variables instanceof Error) {
    end({ status: 'threw', error: captureThrown(variables) })
    exit(1)
    return
  }
  if (content.modules) addModules(content.modules)
  const { encode } = content
  if (encode) current.encoded = (value) => (value === undefined ? undefined : encode(value))
  for (const [name, value] of Object.entries(createGlobals(job, variables)))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true })
  if (job.baseUrl !== null) process.env['BASE_URL'] = job.baseUrl

  Error.stackTraceLimit = framesKept
  const main = compileProgram(job)
  if (main instanceof Error) {
    end({ status: 'syntax', error: captureSyntaxError(main) })
    exit(1)
  } else
    return main.call(globalThis).then(() => {
      settled = true
    }, fail)
}

/** The module between the host's functions and the code. */
let content: SurfaceResult = {}
const bounds = { resultBytes: 0 }

/** The error of the surface's module. */
let failure: unknown

/** Compiles and runs a surface’s module. */
export function loadSurface(surface: NonNullable<InputJob['surface']>) {
  try {
    const load = new Script(wrapSurfaceCode(surface), {
      filename: surfaceFile,
    }).runInThisContext() as SurfaceModule
    content = loadSurroundings(load, openCalls(bounds))
  } catch (error) {
    failure = error
  }
}

/** The variables as the code sees them, or why there are none. */
function openSurroundings({ surface, variables, resultBytes }: InputJob): Record<string, unknown> | Error {
  bounds.resultBytes = resultBytes
  if (surface) loadSurface(surface)
  if (failure !== undefined) return failure as Error
  try {
    return decodeVariables(variables, content)
  } catch (error) {
    return error as Error
  }
}

function compileProgram({ source, columnOffset }: InputJob): (() => Promise<unknown>) | Error {
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

const defineHidden = (name: string, value: unknown) =>
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })

/**
 * Output goes out at once and in order: a program that floods is seen flooding, and nothing is lost at its
 * end.
 */
const createOutput = () =>
  new Writable({
    decodeStrings: true,
    write(chunk: Buffer, _encoding, done) {
      writeAll(1, chunk)
      done()
    },
  })
