/** Arranges sentences: paragraphs, or a numbered list whose branches have sub-items. */

/** A sentence without its full stop, and the items of a list that ends it. */
export interface LayoutSentence {
  text: string
  items: readonly string[]
  /** True if a paragraph begins with it. */
  opens: boolean
}

const endSentence = ({ text, items }: LayoutSentence, indent: string) =>
  items.length === 0 ? `${text}.` : `${text}:\n${items.map((item) => `${indent}- ${item}`).join('\n')}`

/** The sentences of the beginning, and those of each branch, which begins with its opening. */
export function writeProse(
  main: readonly LayoutSentence[],
  branches: readonly (readonly LayoutSentence[])[],
): string {
  return [main, ...branches]
    .filter((sentences) => sentences.length > 0)
    .map((sentences) =>
      sentences
        .map(
          (sentence, index) =>
            `${index === 0 ? '' : sentence.opens ? '\n\n' : ' '}${endSentence(sentence, '')}`,
        )
        .join(''),
    )
    .join('\n\n')
}

export function writeList(
  main: readonly LayoutSentence[],
  branches: readonly { opening: string; sentences: readonly LayoutSentence[] }[],
): string {
  const items = [
    ...main.map((sentence) => endSentence(sentence, '   ')),
    ...branches.map(
      ({ opening, sentences }) =>
        `${opening}:\n${sentences.map((sentence) => `   - ${endSentence(sentence, '     ')}`).join('\n')}`,
    ),
  ]
  return items.map((text, index) => `${index + 1}. ${text}`).join('\n')
}
