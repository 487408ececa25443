/** What a model says of a failure, read strictly: it names one of the causes as it was asked to, or none counts. */
import { type RootCause, rootCauses, type SecondOpinion } from '@stateeval/contracts'
import { withoutThoughts } from '../answer/thoughts.ts'

type Given = Extract<SecondOpinion, { cause: unknown }>

const longest = 500
/** Marks of emphasis and of lists, which models put around what they were asked for. */
const bare = (line: string) =>
  line
    .replace(/^[\s>#*+-]+/, '')
    .replace(/[*`"“”]/g, '')
    .trim()

/**
 * The lines `Cause: …` and `Because: …` of an answer. `unclear` where no line names a cause, where one names something else, or
 * where lines name several.
 */
export function readOpinion(answer: string): Given {
  const lines = (withoutThoughts(answer) ?? '').split(/\r?\n/).map(bare)
  const said = lines.flatMap((line) => /^cause\s*:\s*(.*)$/i.exec(line)?.[1]?.toLowerCase().replace(/\.$/, '') ?? [])
  const because = (lines.findLast((line) => /^because\s*:/i.test(line)) ?? '').replace(/^because\s*:\s*/i, '').slice(0, longest)
  const [cause, ...others] = new Set(said)
  return { cause: cause !== undefined && others.length === 0 && isCause(cause) ? cause : 'unclear', because }
}
const isCause = (text: string): text is RootCause => (rootCauses as readonly string[]).includes(text)
