/**
 * The runner’s end of a channel with frames both ways. Writes are complete when they return, and incoming
 * frames can be awaited synchronously. It runs next to candidate code in a process, so the builtins that it
 * uses are saved before that code starts.
 */
import { readSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'

const { wait } = Atomics
const later = setImmediate
/* eslint-disable @typescript-eslint/unbound-method -- called by Reflect.apply */
const { set, subarray } = Uint8Array.prototype
const { splice } = Array.prototype
const { allocUnsafe } = Buffer
/* eslint-enable @typescript-eslint/unbound-method */
const { apply } = Reflect
const cell = new Int32Array(new SharedArrayBuffer(4))
const readBytes = 1 << 16
/** Looks at the channel without a pause in between, then with this one, in milliseconds. */
const eagerLooks = 20
const pauseMs = 0.05

export class ChannelLine {
  readonly #fd: number
  readonly #socket: Socket
  readonly #take: (body: Buffer) => void
  #held: Buffer = allocUnsafe(0)
  /** Frames that came while somebody waited for another one. */
  #aside: Buffer[] = []
  #waiting: ((body: Buffer) => boolean) | undefined
  #found = false

  /** `take` gets each frame’s body in its own turn. */
  constructor(fd: number, take: (body: Buffer) => void, onClose: () => void) {
    this.#fd = fd
    this.#take = take
    // From here on the descriptor doesn’t block: what can’t be written or read is tried again.
    this.#socket = new Socket({ fd, readable: true, writable: true })
    this.#socket.on('data', (chunk: Buffer) => {
      this.#push(chunk)
      this.#deliver()
    })
    this.#socket.on('close', onClose).on('error', onClose)
  }

  /** Tells Node whether the process must stay alive for further input. */
  keep(alive: boolean) {
    if (alive) this.#socket.ref()
    else this.#socket.unref()
  }

  /** Gives the descriptor up. */
  close(): Promise<void> {
    return new Promise((resolve) => this.#socket.once('close', () => resolve()).destroy())
  }

  write(frame: Uint8Array) {
    for (let offset = 0, looks = 0; offset < frame.length;) {
      const count = runUnlessBusy(() => writeSync(this.#fd, frame, offset, frame.length - offset))
      if (count !== undefined) offset += count
      // The process at the other end may wait for us to read.
      else if (!this.#readNow()) pausePolling(looks++)
    }
  }

  /**
   * Reads until `match` says that a frame is the one; it gets each that comes. Others are delivered later.
   */
  waitFor(match: (body: Buffer) => boolean) {
    const { length } = this.#aside
    for (let at = 0; at < length; at++)
      if (match(this.#aside[at]!)) {
        apply(splice, this.#aside, [at, 1])
        return
      }
    this.#waiting = match
    this.#found = false
    for (let looks = 0; !this.#found;) if (!this.#readNow()) pausePolling(looks++)
    this.#waiting = undefined
  }

  /** False where nothing is there now. */
  #readNow(): boolean {
    const chunk = allocUnsafe(readBytes)
    const count = runUnlessBusy(() => readSync(this.#fd, chunk, 0, readBytes, null))
    if (count === undefined) return false
    if (count === 0) process.exit(0) // the host is gone
    this.#push(apply(subarray, chunk, [0, count]) as Buffer)
    return true
  }

  #push(chunk: Buffer) {
    let all = chunk
    if (this.#held.length > 0) {
      all = allocUnsafe(this.#held.length + chunk.length)
      apply(set, all, [this.#held, 0])
      apply(set, all, [chunk, this.#held.length])
    }
    let at = 0
    while (all.length - at >= 4) {
      const length = ((all[at]! << 24) | (all[at + 1]! << 16) | (all[at + 2]! << 8) | all[at + 3]!) >>> 0
      if (all.length - at < length + 4) break
      this.#put(apply(subarray, all, [at + 4, at + 4 + length]) as Buffer)
      at += length + 4
    }
    this.#held = apply(subarray, all, [at]) as Buffer
  }
  #put(body: Buffer) {
    if (this.#waiting !== undefined && !this.#found && this.#waiting(body)) this.#found = true
    else if (this.#aside.length === 0) {
      this.#aside[0] = body
      later(() => this.#deliver())
    } else this.#aside[this.#aside.length] = body
  }
  #deliver() {
    const frames = this.#aside
    this.#aside = []
    for (let at = 0; at < frames.length; at++) this.#take(frames[at]!)
  }
}

/** undefined where it would have to wait. */
function runUnlessBusy(work: () => number): number | undefined {
  try {
    return work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}

function pausePolling(looks: number) {
  if (looks > eagerLooks) wait(cell, 0, 0, pauseMs)
}
