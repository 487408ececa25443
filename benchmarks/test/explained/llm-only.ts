/** Programs that are read: differences name constraints that the text breaks. */
import { oneAnswer, runEpisode } from '@stateeval/program'
import type { DocumentationCase } from '../../llm-only/case.ts'
import { byKind, kinds } from '../every-kind.ts'
import { defineExplained } from './kind.ts'

/** Lines that break a constraint by themselves. */
const breaking = {
  loop: 'for (const one of [1, 2]) { one }',
  branch: "if (globalThis) { 'yes' } else { 'no' }",
  random: 'Math.random()',
}
const isApiCall = (line: string) => /await |= \w+\(/.test(line)
/** Lines of a text that a sentence is about, by the sentence. */
const facts: readonly (readonly [says: RegExp, isAbout: (line: string) => boolean])[] = [
  [/has a loop/, (line) => line === breaking.loop],
  [/more than one if/, (line) => line === breaking.branch],
  [/is random/, (line) => line === breaking.random],
]
const insert = (line: string) => (lines: unknown) =>
  Array.isArray(lines) ? [...(lines as string[]), line] : (lines as string)

const benchmark = byKind.get('llm-only')!
export const llmOnly = defineExplained<DocumentationCase, string[]>({
  benchmark: benchmark as never,
  cases: kinds['llm-only']!.cases as readonly DocumentationCase[],
  reference: ({ task }) => task.reference.split('\n'),
  async candidate({ case: c, policy, answer }) {
    const { candidate } = await runEpisode(
      benchmark.episode,
      c,
      { prompting: 'direct', policy },
      {
        reply: oneAnswer(answer.length === 0 ? '' : `\`\`\`javascript\n${answer.join('\n')}\n\`\`\``),
      },
    )
    return candidate
  },
  isChangeable: (place, how) => how === 'left out' && /^\d+$/.test(place),
  changes: {
    'with a loop': insert(breaking.loop),
    'with two branches': (lines) => insert(breaking.branch)(insert(breaking.branch)(lines)),
    'with chance': insert(breaking.random),
    'with a call twice': (lines) =>
      Array.isArray(lines)
        ? (lines as string[]).flatMap((line) => (isApiCall(line) ? [line, line] : [line]))
        : lines,
  },
  read: () => null,
  mend({ answer }, { says }, reference) {
    const about = facts.filter(([sentence]) => sentence.test(says))
    // A named construct stands in the program; without any, calls or RESULT are not the reference's.
    if (about.some(([, isAbout]) => !answer.some(isAbout))) return null
    const kept = answer.filter((line) => !about.some(([, isAbout]) => isAbout(line)))
    return about.length > 0
      ? kept
      : [...reference, ...answer.filter((line) => Object.values(breaking).includes(line))]
  },
})
