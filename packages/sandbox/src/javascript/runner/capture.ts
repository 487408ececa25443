/** What a thrown value tells: name, message, line in the candidate’s code, HTTP status. Thrown values may be hostile. */
import type { CapturedError } from '@stateeval/contracts'
import { candidateFile } from '../program/names.ts'

/** Frames of a stack that are told: the candidate’s own. How many others stand between them depends on the runner. */
const framesTold = 10
/** For Error.stackTraceLimit: enough that so many of the candidate’s are among them. */
export const framesKept = 50

const frame = new RegExp(`${candidateFile.replace('.', '\\.')}:(\\d+)(?::\\d+)?`)

export function capture(thrown: unknown): CapturedError {
  const name = read(() => (thrown instanceof Error ? thrown.name : `thrown ${typeof thrown}`)) ?? 'Error'
  const message = read(() => (thrown instanceof Error ? thrown.message : display(thrown))) ?? ''
  const stack = read(() => (thrown as Error).stack) ?? ''
  const frames = stack
    .split('\n')
    .filter((line) => frame.test(line))
    .slice(0, framesTold)
  const line = frames[0] === undefined ? undefined : Number(frame.exec(frames[0])?.[1])
  const status = statusOf(thrown)
  return {
    name: name.slice(0, 200),
    message: message.slice(0, 4000),
    ...(line !== undefined && line > 0 && { line }),
    ...(frames.length > 0 && {
      stack: frames
        .map((text) => text.trim())
        .join('\n')
        .slice(0, 8000),
    }),
    ...(status !== undefined && { status }),
  }
}

/** A syntax error that V8 found although the parser didn’t: its first stack line is `candidate.js:LINE`. */
export function captureSyntax(error: Error): CapturedError {
  const line = Number(frame.exec(read(() => error.stack) ?? '')?.[1])
  return { name: error.name, message: error.message.slice(0, 4000), ...(line > 0 && { line }) }
}

function display(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown)
  return read(() => JSON.stringify(thrown)) ?? 'an object'
}

function statusOf(thrown: unknown): number | undefined {
  try {
    const status: unknown = (thrown as { response?: { status?: unknown } } | undefined)?.response?.status
    return Number.isInteger(status) ? (status as number) : undefined
  } catch {
    return undefined
  }
}

function read(get: () => unknown): string | undefined {
  try {
    const value = get()
    return value === undefined || value === null ? undefined : `${value as string}`
  } catch {
    return undefined
  }
}
