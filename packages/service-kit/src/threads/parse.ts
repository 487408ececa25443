/** The thread that parses stored JSON which is long. */
export const parse = (bytes: Uint8Array): unknown =>
  JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
