/**
 * Feedback on a model's own failed run, under `reflect`: only what running the code shows to anyone who has
 * no oracle. A program that ends with a wrong RESULT is not known to be wrong, so it is not asked again.
 */
import type { Language, Observation } from '@stateeval/contracts'
import { formatEvidence, runLabels } from '@stateeval/score'
import { rulesOf } from './rules.ts'

/**
 * The failure that a run shows by itself, as a text for the model; null where it shows none, or where the
 * failure is ours.
 */
export function buildFeedback(
  attempt: { none: string } | { code: string; observations: readonly Observation[] },
  language: Language,
): string | null {
  const fence = rulesOf[language]?.fence ?? language
  const again = `Correct the program. Answer with the whole corrected program in one fenced code block that begins with \`\`\`${fence}.`
  if ('none' in attempt) return `No program was found in your answer: ${attempt.none}. ${again}`
  const { code, observations } = attempt
  if (observations.some(({ ending, faults }) => ending.status === 'infrastructure' || faults.length > 0))
    return null
  const failed = observations.find(({ ending }) => ending.status !== 'completed')
  return failed ? `Your program was run, and failed.\n\n${describeOutcome(failed, code)}\n\n${again}` : null
}

/**
 * Ids, hosts and paths are masked, so that the same failure is the same question, and a recording replays.
 */
function describeOutcome(observation: Observation, code: string): string {
  const { ending, log, world } = observation
  const labels = runLabels(world)
  switch (ending.status) {
    case 'threw':
    case 'refused': {
      const { name, message, line, status } = ending.error
      const source = line === undefined ? undefined : code.split('\n')[line - 1]?.trim()
      const last = log.at(-1)
      return [
        `${formatEvidence(name, labels)}: ${formatEvidence(message, labels)}`,
        ...(source ? [`at line ${line}: \`${source.slice(0, 300)}\``] : []),
        ...(status !== undefined && last
          ? [
              `The service answered ${last.status} to ${last.method} ${formatEvidence(last.path, labels)}: ${formatEvidence(last.responseBody ?? '', labels)}`,
            ]
          : []),
      ].join('\n')
    }
    case 'no_result':
      return `RESULT is not there to read: ${ending.reason}`
    case 'timeout':
      return 'It did not end within its time.'
    case 'killed':
      return ending.by === 'crash'
        ? 'Its process ended before the program did.'
        : `It was ended because it went over a limit: ${ending.by}.`
    case 'completed':
    case 'infrastructure':
      return ''
  }
}
