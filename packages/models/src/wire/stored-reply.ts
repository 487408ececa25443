/**
 * Replies as they came, stored beside what was read of them, so that a later reader can read them again
 * (docs/models.md, Asked once).
 */
import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'

/** The version of how replies are read. Raise it with each change that reads a reply otherwise. */
export const readerVersion = 2

/** What a reply is of: a message, or the text of a raw completion. */
export type ReplyForm = 'chat' | 'completions'

export interface StoredReply {
  /** The version of the reader that read it. */
  reader: number
  form: ReplyForm
  /** The body, compressed, as base64. */
  body: string
}

/** Answers to longer replies stay as they were read. In bytes; a stream has about 250 for a token. */
const longestReply = 4 * 2 ** 20
const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)]

/** Copies the text of a body while it is read. */
export class ReplyCopy {
  #parts: string[] = []
  #length = 0

  take(part: string): void {
    this.#length += part.length
    if (this.#length > longestReply) this.#parts = []
    else this.#parts.push(part)
  }

  /**
   * Null where the body is too long, or where it must not be stored. Its last characters that were not read
   * are left out: how many came depends on the network.
   */
  async store(
    form: ReplyForm,
    unread: number,
    isSecret: (body: string) => boolean,
  ): Promise<StoredReply | null> {
    if (this.#length > longestReply) return null
    const body = this.#parts.join('').slice(0, this.#length - unread)
    const bytes = Buffer.from(body)
    if (bytes.length > longestReply || isSecret(body)) return null
    return { reader: readerVersion, form, body: (await deflate(bytes)).toString('base64') }
  }
}

/** The response that was stored. */
export async function restoreResponse({ body }: StoredReply): Promise<Response> {
  const bytes = await inflate(Buffer.from(body, 'base64'), { maxOutputLength: longestReply })
  return new Response(new Uint8Array(bytes))
}
