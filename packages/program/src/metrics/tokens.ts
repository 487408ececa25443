/** Token counts in cl100k_base, as in StateEval, Table I. */
let encoding:
  | Promise<{ countTokens(text: string, options: { disallowedSpecial: Set<string> }): number }>
  | undefined
/**
 * A text that looks like a control token, such as <|endoftext|>, is text; the encoder refuses it by default.
 */
const asText = { disallowedSpecial: new Set<string>() }

/**
 * The encoder takes time in the square of a word's length, seconds for 60 KB, so longer words are counted in
 * parts. No word of a language is as long.
 */
const longWord = /(\S{500}|\s{500})/u

/** Loads the encoding, which takes 0.3 s: before a service answers, or in a thread. */
export const loadTokens = () => (encoding ??= import('gpt-tokenizer/encoding/cl100k_base'))

/** The number of cl100k_base tokens of a text, in linear time. The encoding is loaded on first use. */
export async function countTokens(text: string): Promise<number> {
  const encoder = await loadTokens()
  return text.split(longWord).reduce((sum, part) => sum + encoder.countTokens(part, asText), 0)
}
