/**
 * The description of a thrown value: name, message, line in the candidate’s code, HTTP status. Thrown
 * values may be hostile.
 */
import type { CapturedError } from '@stateeval/contracts'
import { candidateFile } from '../program/names.ts'
import { cutTo, findLine, matchText, trimText } from './texts.ts'

/**
 * Frames of a stack that are reported: the candidate's own. How many others stand between them depends on the
 * runner.
 */
const framesTold = 10
/** For Error.stackTraceLimit: enough to include the candidate’s frames. */
export const framesKept = 50

const ErrorBase = Error
const toText = String
const toNumber = Number
const { isInteger } = Number
const { stringify } = JSON
const frame = new RegExp(`${candidateFile.replace('.', '\\.')}:(\\d+)(?::\\d+)?`)

export function captureThrown(thrownValue: unknown): CapturedError {
  const name =
    read(() => (thrownValue instanceof ErrorBase ? thrownValue.name : `thrown ${typeof thrownValue}`)) ??
    'Error'
  const message =
    read(() => (thrownValue instanceof ErrorBase ? thrownValue.message : displayThrown(thrownValue))) ?? ''
  const { line, frames } = readCandidateFrames(read(() => (thrownValue as Error).stack) ?? '')
  const status = readStatus(thrownValue)
  return {
    name: cutTo(name, 200),
    message: cutTo(message, 4000),
    ...(line !== undefined && line > 0 && { line }),
    ...(frames !== '' && { stack: cutTo(frames, 8000) }),
    ...(status !== undefined && { status }),
  }
}

/** The candidate’s frames, and the line of the first. */
function readCandidateFrames(stack: string): { line: number | undefined; frames: string } {
  let line: number | undefined
  let frames = ''
  let frameCount = 0
  findLine(stack, (text) => {
    const place = matchText(frame, text)
    if (!place) return false
    line ??= toNumber(place[1])
    frames += (frameCount === 0 ? '' : '\n') + trimText(text)
    return ++frameCount === framesTold
  })
  return { line, frames }
}

/**
 * A syntax error that V8 found although the parser did not: its first stack line is `candidate.js:LINE`.
 */
export function captureSyntaxError(error: Error): CapturedError {
  const line = toNumber(matchText(frame, read(() => error.stack) ?? '')?.[1])
  return { name: error.name, message: cutTo(error.message, 4000), ...(line > 0 && { line }) }
}

function displayThrown(thrownValue: unknown): string {
  if (typeof thrownValue !== 'object' || thrownValue === null) return toText(thrownValue)
  return read(() => stringify(thrownValue)) ?? 'an object'
}

function readStatus(thrownValue: unknown): number | undefined {
  try {
    const status: unknown = (thrownValue as { response?: { status?: unknown } } | undefined)?.response?.status
    return isInteger(status) ? (status as number) : undefined
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
