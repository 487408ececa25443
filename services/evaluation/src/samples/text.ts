/** The searchable texts of consecutive samples: one column each, without a structure to parse. */

/** The searchable columns. */
export const textColumns = ['instruction', 'code', 'error'] as const
export type TextColumn = (typeof textColumns)[number]

/** Instructions by case, code and errors by sample. */
export type ColumnTexts = Record<TextColumn, string[]>

/** Characters of each text that are searched in. */
const searched: Record<TextColumn, number> = { instruction: 4_000, code: 16_000, error: 2_000 }

const [betweenTexts, betweenColumns] = ['\0', '\u0001']
const removeSeparators = (text: string) => text.replace(/[\0\u0001]/g, ' ')

export const packTexts = (texts: ColumnTexts): Uint8Array =>
  Buffer.from(
    textColumns
      .map((name) =>
        texts[name].map((text) => removeSeparators(text.slice(0, searched[name]))).join(betweenTexts),
      )
      .join(betweenColumns),
  )

export function unpackTexts(bytes: Uint8Array): ColumnTexts {
  const columns = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('utf8')
    .split(betweenColumns)
    .map((column) => column.split(betweenTexts))
  const [instruction = [], code = [], error = []] = columns
  return { instruction, code, error }
}
