/** Buffer inside axios’s adapter, for bodies of requests and responses. Candidates never get one. */
import { bail } from '../host.ts'

export class Buffer {
  readonly #text: string
  readonly length: number
  constructor(text: string, length = byteLength(text)) {
    this.#text = text
    this.length = length
  }
  toString(encoding = 'utf8') {
    return encoding === 'utf8' || encoding === 'utf-8' ? this.#text : bail(`the encoding ${encoding}`)
  }
  static isBuffer = (value: unknown) => value instanceof Buffer
  static from = (value: unknown, encoding = 'utf8') =>
    typeof value === 'string' && (encoding === 'utf8' || encoding === 'utf-8')
      ? new Buffer(value)
      : bail('Buffer')
  static concat = (chunks: Buffer[]) => (chunks.length === 0 ? new Buffer('') : bail('Buffer'))
  static byteLength = byteLength
}

/** Bytes of a string’s UTF-8; a lone surrogate takes the three of U+FFFD. */
function byteLength(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    if (code < 0x800) bytes += 1
    else if ((code & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
      bytes += 2
      at++
    } else bytes += 2
  }
  return bytes
}
