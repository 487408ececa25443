/** Arranges sentences: paragraphs, or a numbered list whose branches have sub-items. */

/** A sentence without its full stop, and the items of a list that ends it. */
export interface Sentence {
  text: string
  items: readonly string[]
  /** True if a paragraph begins with it. */
  opens: boolean
}

const ended = ({ text, items }: Sentence, indent: string) =>
  items.length === 0 ? `${text}.` : `${text}:\n${items.map((item) => `${indent}- ${item}`).join('\n')}`

/** The sentences of the beginning, and those of each branch, which begins with its opening. */
export function inProse(main: readonly Sentence[], branches: readonly (readonly Sentence[])[]): string {
  return [main, ...branches]
    .filter((sentences) => sentences.length > 0)
    .map((sentences) =>
      sentences
        .map((sentence, index) => `${index === 0 ? '' : sentence.opens ? '\n\n' : ' '}${ended(sentence, '')}`)
        .join(''),
    )
    .join('\n\n')
}

export function inList(
  main: readonly Sentence[],
  branches: readonly { opening: string; sentences: readonly Sentence[] }[],
): string {
  const items = [
    ...main.map((sentence) => ended(sentence, '   ')),
    ...branches.map(
      ({ opening, sentences }) =>
        `${opening}:\n${sentences.map((sentence) => `   - ${ended(sentence, '     ')}`).join('\n')}`,
    ),
  ]
  return items.map((text, index) => `${index + 1}. ${text}`).join('\n')
}
