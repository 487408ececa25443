/**
 * Reads a model's opinion on a failure, strictly: it names one of the causes in the requested form, or does
 * not count.
 */
import type { SecondOpinion } from '@stateeval/contracts'
import { readText } from '@stateeval/answers'
import { rootCauses } from '../root-cause/root-cause.ts'

type GivenOpinion = Extract<SecondOpinion, { cause: unknown }>

const longest = 500
/** Marks of emphasis and of lists, which models put around what they were asked for. */
const removeEmphasis = (line: string) =>
  line
    .replace(/^[\s>#*+-]+/, '')
    .replace(/[*`"“”]/g, '')
    .trim()

/**
 * The lines `Cause: …` and `Because: …` of an answer. `unclear` where no line names a cause, where one names
 * something else, or where lines name several.
 */
export function readOpinion(answer: string): GivenOpinion {
  const lines = (readText(answer) ?? '').split(/\r?\n/).map(removeEmphasis)
  const causes = lines.flatMap(
    (line) =>
      readBehind(line, /^cause\s*:/i)
        ?.toLowerCase()
        .replace(/\.$/, '') ?? [],
  )
  const because = (lines.flatMap((line) => readBehind(line, /^because\s*:/i) ?? []).at(-1) ?? '').slice(
    0,
    longest,
  )
  const [cause, ...others] = new Set(causes)
  return { cause: cause !== undefined && others.length === 0 && isCause(cause) ? cause : 'unclear', because }
}
/** Reads the text behind a word and its colon; undefined where the line begins otherwise. */
function readBehind(line: string, word: RegExp): string | undefined {
  const match = word.exec(line)
  return match ? line.slice(match[0].length).trimStart() : undefined
}
const isCause = (text: string) => (rootCauses as readonly string[]).includes(text)
