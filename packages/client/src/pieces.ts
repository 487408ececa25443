/** Reads a stream in pieces, because not every browser can iterate over streams. */
export async function* readPieces<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader()
  let ended = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield value
    }
    ended = true
  } finally {
    // The caller stopped reading and does not need the rest.
    if (!ended) await reader.cancel().catch(() => undefined)
  }
}
