/** 'a, b, and c'. */
import type { TextToken } from './text/lex.ts'
import type { InstructionReading } from './reading.ts'
import { isSameElement } from './text/template.ts'

const comma: TextToken = { kind: 'mark', text: ',' }
const and: TextToken = { kind: 'word', text: 'and' }
const separators: readonly (readonly TextToken[])[] = [[comma], [and], [comma, and]]

export function saySeries(items: readonly string[]): string {
  if (items.length < 3) return items.join(' and ')
  return `${items.slice(0, -1).join(', ')}, and ${items[items.length - 1]}`
}

/** No item of ours is longer, in tokens. */
const longest = 120

/** Every way to split these tokens into items with separators. */
export function readSeries<T>(
  reading: InstructionReading,
  from: number,
  to: number,
  between: readonly (readonly TextToken[])[] = separators,
  read: (from: number, to: number) => readonly T[],
): T[][] {
  const lists: T[][] = []
  const go = (at: number, items: T[]) => {
    for (let end = at + 1; end <= to && end <= at + longest; end++) {
      const next =
        end === to
          ? [[]]
          : between.filter((marks) =>
              marks.every((mark, index) => isSameElement(mark, reading.tokens[end + index])),
            )
      if (next.length === 0) continue
      for (const item of read(at, end)) {
        if (end === to) lists.push([...items, item])
        else for (const marks of next) go(end + marks.length, [...items, item])
      }
    }
  }
  if (from < to) go(from, [])
  return lists
}
