/** Token counts in cl100k_base, as in StateEval, Table I. */
let encoding:
  | Promise<{ countTokens(text: string, options: { disallowedSpecial: Set<string> }): number }>
  | undefined
/**
 * A text that looks like a control token, such as <|endoftext|>, is text; the encoder refuses it by default.
 */
const asText = { disallowedSpecial: new Set<string>() }

/** The number of cl100k_base tokens of a text. The encoding is loaded on first use: it takes 0.3 s. */
export async function countTokens(text: string): Promise<number> {
  encoding ??= import('gpt-tokenizer/encoding/cl100k_base')
  return (await encoding).countTokens(text, asText)
}
