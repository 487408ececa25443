/**
 * Stacks. Their frames outside candidate code differ from those in a process, so a process runs programs
 * that read one. The runner’s report contains only candidate frames, and axios may read the stacks that it
 * assembles.
 */
/* eslint-disable @typescript-eslint/unbound-method -- called by Reflect.apply, which candidates can't change here */
import { framesKept } from '../../runner/capture.ts'
import { bail } from './host.ts'

const ErrorBase = Error
const { apply, defineProperty } = Reflect
const { captureStackTrace } = ErrorBase
const errorText = ErrorBase.prototype.toString
const ours = /^[^\n]*\n[^\n]*\bisolate\.js:\d+:\d+\)?(?:\n|$)/
const { test } = RegExp.prototype
let reporting = false

/** V8 sets its own limit for each new context, so ours cannot be in the snapshot. */
export const keepFrames = () => void (ErrorBase.stackTraceLimit = framesKept)

/** The runner's work that may read stacks. */
export function report<T>(work: () => T): T {
  reporting = true
  try {
    return work()
  } finally {
    reporting = false
  }
}

/** Whether the nearest frame above the function is of code that isn’t the candidate’s. */
function calledByUs(above: (...args: never[]) => unknown): boolean {
  const probe: { stack?: unknown } = {}
  captureStackTrace(probe, above)
  // While a stack is formatted, V8 formats others plainly: this is text.
  return typeof probe.stack === 'string' && apply(test, ours, [probe.stack]) === true
}

function prepare(error: Error, frames: unknown[]): string {
  let text = apply<Error, [], string>(errorText, error, [])
  for (let n = 0; n < frames.length; n++) text += `\n    at ${frames[n] as string}`
  return reporting || calledByUs(prepare) ? text : bail('a stack')
}
ErrorBase.prepareStackTrace = prepare as typeof ErrorBase.prepareStackTrace
defineProperty(ErrorBase, 'prepareStackTrace', { enumerable: false })

/** Errors of axios have a stack that axios has read and extended: it is text, and hidden differently. */
export function hideStack(error: unknown) {
  if (!(error instanceof ErrorBase)) return
  let text: unknown = error.stack
  const get = () => (reporting || plainlyCalledByUs(get) ? text : bail('a stack'))
  const set = (value: unknown) => {
    text = value
  }
  defineProperty(error, 'stack', { get, set, enumerable: false, configurable: true })
}

/** The same outside of formatting: our own preparation is put aside. */
function plainlyCalledByUs(above: () => unknown): boolean {
  const original = ErrorBase.prepareStackTrace
  delete (ErrorBase as { prepareStackTrace?: unknown }).prepareStackTrace
  try {
    return calledByUs(above)
  } finally {
    defineProperty(ErrorBase, 'prepareStackTrace', {
      value: original,
      writable: true,
      configurable: true,
      enumerable: false,
    })
  }
}
