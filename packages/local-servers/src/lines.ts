/**
 * The lines of a text that arrives in pieces, each without its end; returns what follows the last end. A line
 * ends at \n only: documents may hold other separators of lines, such as U+2028.
 */
export async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<string, string> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = piece.split('\n')
    // Only pieces are searched: a line may be much longer than one.
    lines[0] = rest + lines[0]!
    rest = lines.pop()!
    yield* lines
  }
  return rest
}
