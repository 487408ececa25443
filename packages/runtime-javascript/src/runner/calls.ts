/**
 * Calls of a process, through its channel. The process ends when it waits only for replies that nothing
 * needs.
 */
import { callText } from '@stateeval/runtime/calls/protocol'
import { encodeFrame, frameFd } from '@stateeval/runtime/protocol'
import type { SurfaceHost } from '@stateeval/runtime'
import { writeThrough } from './io.ts'
import { ChannelLine } from './line.ts'
import { createSurfaceHost } from './surface.ts'

/** `bounds.resultBytes` is the maximum length of arguments. */
export function openCalls(bounds: { resultBytes: number }): SurfaceHost {
  const waiting = { __proto__: null } as Record<number, ((reply: string) => void) | undefined>
  let count = 0
  let open = 0
  const line = new ChannelLine(
    frameFd,
    (body) => {
      const [id, reply] = readReply(body)
      const settle = waiting[id]
      if (settle === undefined) return
      delete waiting[id]
      if (--open === 0) line.keep(false)
      settle(reply)
    },
    () => process.exit(0),
  )
  line.keep(false)
  writeThrough(line)
  return createSurfaceHost(
    {
      call(name, args, settle) {
        const id = ++count
        waiting[id] = settle
        if (++open === 1) line.keep(true)
        line.write(encodeFrame(callText(id, name, args)))
      },
      callSync(name, args) {
        return askNow(line, ++count, name, args)
      },
    },
    bounds,
  )
}

/** Calls, waits for the reply and returns its text; other replies are delivered later. */
export function askNow(line: ChannelLine, callId: number, name: string, args: string): string {
  line.write(encodeFrame(callText(callId, name, args)))
  let answer = ''
  line.waitFor((body) => {
    const [id, reply] = readReply(body)
    if (id === callId) answer = reply
    return id === callId
  })
  return answer
}

/* eslint-disable @typescript-eslint/unbound-method -- called by Reflect.apply */
const { toString } = Buffer.alloc(0)
const { indexOf, slice } = String.prototype
/* eslint-enable @typescript-eslint/unbound-method */
const { apply } = Reflect
const toNumber = Number

/** The parts of a reply’s frame: the number of its call, and the reply’s text. */
export function readReply(body: Buffer): [id: number, reply: string] {
  const text = apply(toString, body, ['utf8', 1])
  const space = apply(indexOf, text, [' '])
  return [toNumber(apply(slice, text, [0, space])), apply(slice, text, [space + 1])]
}
