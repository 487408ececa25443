/** The end of a program’s run inside the isolate. The text of the outcome equals a process's. */
import { capture } from '../../runner/capture.ts'
import { type Reader, resultOf } from '../../runner/readers.ts'
import { cut } from '../../runner/texts.ts'
import { Recorder } from '../../runner/recorder.ts'
import { resultText } from '../../runner/result.ts'
import { type Job, unfinished } from '../../../protocol.ts'
import { bail, host, requireIntact } from './host.ts'
import { report as reporting } from './stack.ts'

const { stringify } = JSON
const readers: Reader[] = []
let settled = false
let recorder: Recorder | undefined
let resultBytes = 0
let finishing = false
let ended = false
let encode = (value: unknown) => value

export const report = (read: () => unknown, top: boolean) => void (readers[readers.length] = { read, top })
export const settle = () => {
  settled = true
}
/** Returns the recorder of axios’s requests, if they are captured. */
export function begin(bytes: number, capture: Job['capture']): Recorder | undefined {
  resultBytes = bytes
  if (capture)
    recorder = new Recorder({ reply: capture, maxRequests: capture.maxRequests, bytes }, (status) =>
      end(stringify({ status }), true),
    )
  return recorder
}

/** The encoder of RESULT before it is read as JSON. */
export function encodeWith(encoder: (value: unknown) => unknown) {
  encode = (value) => (value === undefined ? undefined : encoder(value))
}

/** The first word counts. */
function end(text: string, stop: boolean) {
  if (ended) return
  ended = true
  host('end', recorder?.added(text) ?? text, stop)
}

const captured = (error: unknown) => reporting(() => capture(error))

/** An error ends the run immediately, as in any Node program. */
export const fail = (error: unknown) => {
  requireIntact()
  end(stringify({ status: 'threw', error: captured(error) }), true)
}

/** Reads RESULT once no work is left, or the program called process.exit. */
export function finish(stop: boolean) {
  requireIntact()
  if (finishing) bail('process.exit while RESULT is read')
  finishing = true
  try {
    const value = encode(resultOf(readers))
    const result =
      value === undefined && !settled
        ? { status: 'no_result', reason: unfinished }
        : resultText(value, resultBytes - (recorder?.length ?? 0))
    end('text' in result ? `{"status":"completed","result":${result.text}}` : stringify(result), stop)
  } catch (error) {
    end(
      stringify({
        status: 'no_result',
        reason: `RESULT cannot be read: ${cut(captured(error).message, 300)}`,
      }),
      stop,
    )
  }
}
