/** Writes that are complete when they return. */
import { writeSync } from 'node:fs'
import { frameFd } from '@stateeval/runtime/protocol'
import type { ChannelLine } from './line.ts'

let line: ChannelLine | undefined
/** When frames go both ways, the channel no longer blocks; this writes to it. */
export function writeThrough(openLine: ChannelLine) {
  line = openLine
}

export function writeAll(fd: number, bytes: Uint8Array) {
  if (fd === frameFd && line) return line.write(bytes)
  for (let offset = 0; offset < bytes.length;) offset += writeSync(fd, bytes, offset, bytes.length - offset)
}
