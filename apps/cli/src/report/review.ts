/** One instruction or task for review: its content, its evidence, and how to decide. */
import type { Review } from '@stateeval/contracts'
import type { TerminalColors } from '../terminal.ts'
import { formatMinute, splitWords } from './format.ts'

const indentText = (text: string) => text.trimEnd().replaceAll(/^/gm, '  ')

export function formatReview(id: string, review: Review, pc: TerminalColors): string {
  const {
    case: name,
    target,
    status,
    reason,
    instruction,
    task,
    code,
    dialogue,
    tries,
    questions = [],
    decisions,
  } = review
  const section = (title: string, text: string) => `${pc.bold(title)}\n${indentText(text)}`
  const turns = dialogue.map(({ by, round, says }) => section(`Round ${round}, ${by}`, says))
  const proofs = tries.map(({ verdict, says, code: program }, at) =>
    section(
      `Try ${at + 1}: ${splitWords(verdict)}`,
      [...(says === undefined ? [] : [says]), program ?? '(no code)'].join('\n'),
    ),
  )
  const decided = decisions.map(
    ({ decision, by, at, because }) => `${formatMinute(at)}  ${decision} by ${by}: ${because}`,
  )
  const answer = questions.length > 0 ? ' --yes all' : ''
  return [
    `${pc.bold(name)}${target === undefined ? '' : ` for ${target}`}: ${splitWords(status)}${reason === undefined ? '' : ` (${reason})`}`,
    section('Instruction', instruction ?? '(none)'),
    ...(task === undefined ? [] : [section('Solution', JSON.stringify(task, null, 2))]),
    ...(code === '' ? [] : [section('Reference code', code)]),
    ...turns,
    ...proofs,
    ...(questions.length > 0
      ? [section('Questions', questions.map((one) => `${one.id}: ${one.asks}`).join('\n'))]
      : []),
    ...(decided.length > 0 ? [section('Decisions', decided.join('\n'))] : []),
    `Decide: npx stateeval review ${id} ${name} accept|reject|edit --because TEXT${answer}`,
  ].join('\n\n')
}
