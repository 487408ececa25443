/**
 * A JSON body too large for one text, in pieces of UTF-8 made as the caller takes them. Nothing checks it
 * against the contract on its way out, so its parts are checked before.
 */
export type JsonText = AsyncGenerator<string | Uint8Array, void, undefined>

const pieceBytes = 64 * 1024

/** The same text in fewer pieces: each write to a connection costs as much as making a few kilobytes. */
export async function* joinPieces(text: JsonText): AsyncGenerator<Buffer, void, undefined> {
  let pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of text) {
    pieces.push(Buffer.from(piece as string))
    bytes += pieces.at(-1)!.length
    if (bytes < pieceBytes) continue
    yield Buffer.concat(pieces)
    pieces = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(pieces)
}

/** The text's value, if it is known to be small. */
export async function parseJsonText(text: JsonText): Promise<unknown> {
  const pieces: Buffer[] = []
  for await (const piece of text) pieces.push(Buffer.from(piece as string))
  return JSON.parse(Buffer.concat(pieces).toString()) as unknown
}
