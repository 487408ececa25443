/**
 * The calls of a run, on the host: counted, checked, answered. If the jail stops reading replies, no more
 * calls are read.
 */
import type { Duplex } from 'node:stream'
import type { JsonValue, ExecutionLimits } from '@stateeval/contracts'
import { computeExchangedBytes } from '../limits.ts'
import { encodeFrame } from '../protocol.ts'
import type { CallReply } from '../surface.ts'
import { computeMaxCallBytes, readCall, formatReply } from './protocol.ts'
import { CallSplitter } from './splitter.ts'

/**
 * Calls that are being answered at a time, up to the last byte of their replies: so much memory do they hold.
 */
const maxAtOnce = 16

export type HandleCall = (name: string, args: JsonValue) => Promise<CallReply>

export class CallChannel {
  readonly #limits: ExecutionLimits
  readonly #handle: HandleCall
  readonly #stream: Duplex
  readonly #kill: (reason: 'requests' | 'frames') => void
  readonly #pending = new Set<Promise<void>>()
  #count = 0
  #bytes = 0
  #open = 0
  #closed = false

  constructor(
    limits: ExecutionLimits,
    handle: HandleCall,
    stream: Duplex,
    kill: (reason: 'requests' | 'frames') => void,
  ) {
    this.#limits = limits
    this.#handle = handle
    this.#stream = stream
    this.#kill = kill
  }

  /** Between the jail’s channel and who reads its outcome. */
  splitter(rest: (chunk: Buffer) => void): CallSplitter {
    return new CallSplitter(
      computeMaxCallBytes(this.#limits.resultKiB * 1024),
      (body) => this.#take(body),
      rest,
      () => this.#kill('frames'),
    )
  }

  #take(body: Buffer) {
    if (this.#closed) return
    this.#bytes += body.length
    if (++this.#count > this.#limits.requests || this.#bytes > computeExchangedBytes(this.#limits)) {
      this.#closed = true
      return this.#kill('requests')
    }
    const call = readCall(body)
    if (!call) {
      this.#closed = true
      return this.#kill('frames')
    }
    const { id, name, args, unsafe } = call
    if (++this.#open >= maxAtOnce) this.#stream.pause()
    const refusalReply = unsafe === undefined ? undefined : refuseCall(`The arguments of ${name}: ${unsafe}`)
    const work = (refusalReply ?? this.#handle(name, args)).then((reply) =>
      this.#answer(formatReply(id, name, reply, this.#limits.resultKiB * 1024)),
    )
    this.#pending.add(work)
    void work.finally(() => this.#pending.delete(work))
  }

  #answer(text: string) {
    if (this.#closed) return this.#taken()
    this.#stream.write(encodeFrame(text), () => this.#taken())
  }
  #taken() {
    this.#open--
    this.#stream.resume()
  }

  /** The code has ended: calls that arrived are finished, nobody hears of them. */
  async close(graceMs: number) {
    this.#closed = true
    this.#stream.resume()
    if (this.#pending.size === 0) return
    let timer: NodeJS.Timeout | undefined
    await Promise.race([
      Promise.all(this.#pending),
      new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs))),
    ])
    clearTimeout(timer)
  }
}

const refuseCall = (message: string): Promise<CallReply> =>
  Promise.resolve({ ok: false, error: { name: 'TypeError', message } })
