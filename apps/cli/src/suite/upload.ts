/** Progress of a request with a large body: what is sent, then how long the service has worked on it. */
import { formatDuration } from './pace.ts'
import { createCounter, createLines } from './counter.ts'
import type { CommandTerminal } from '../terminal.ts'

const mib = 2 ** 20
const pieceBytes = 256 * 2 ** 10
/** Less is sent before anybody looks. */
const shownFrom = mib

/** The body as a stream that tells how many bytes of it were taken. */
function createUploadStream(bytes: Uint8Array, tell: (sent: number) => void): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream(
    {
      pull(controller) {
        const piece = bytes.subarray(sent, sent + pieceBytes)
        controller.enqueue(piece)
        sent += piece.length
        tell(sent)
        if (sent === bytes.length) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * A fetch that shows the progress of a large body, with rate and time left, then how long the service has
 * been working; on a terminal, or in lines if those were requested.
 */
export function showUpload(
  title: string,
  terminal: CommandTerminal,
  send: typeof fetch = fetch,
): typeof fetch {
  if (!terminal.interactive && !terminal.progressLines) return send
  return async (url, init = {}) => {
    const { body } = init
    if (typeof body !== 'string' || body.length < shownFrom) return send(url, init)
    const bytes = new TextEncoder().encode(body)
    const inMiB = (count: number) => Math.ceil(count / mib)
    const counter = createCounter(title, inMiB(bytes.length), terminal)
    const lines = createLines(terminal)
    let sentAt: number | null = null
    const stream = createUploadStream(bytes, (sent) => {
      counter(inMiB(sent), 'MiB sent')
      if (sent === bytes.length) sentAt = performance.now()
    })
    const waiting = setInterval(() => {
      if (sentAt === null) return
      const text = `sent; the service has been checking and storing it for ${formatDuration(performance.now() - sentAt)}`
      terminal.progress(`${title}: ${text}`)
      lines(() => `${title}: ${text}`)
    }, 1000)
    try {
      return await send(url, { ...init, body: stream, duplex: 'half' })
    } finally {
      clearInterval(waiting)
    }
  }
}
