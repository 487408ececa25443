/** A sample as Inspect's EvalSample. */
import type { JsonValue, ScoredSample, Transcript } from '@stateeval/contracts'
import { getModelName } from '@stateeval/jobs'
import { findDecidingDialogue, type LoggedSample } from '../logged-samples.ts'
import { convertMessages, buildOutput } from './messages.ts'
import { buildUsage } from './usage.ts'

/** The name of the only score: whether the sample passed. */
export const scoreName = 'passed'

function explainVerdict({ score }: ScoredSample): string | null {
  if (!score) return null
  const { error, differences, rootCause } = score.evidence
  const lines = [
    ...(error ? [`${error.name}: ${error.message}`] : []),
    ...differences.map(({ says }) => says),
    ...(rootCause ? [`${rootCause.cause}: ${rootCause.because}`] : []),
  ]
  return lines.length > 0 ? lines.join('\n') : score.verdict
}

function buildScores({ outcome: { scored, answer }, opinion }: LoggedSample): JsonValue {
  const { score } = scored
  if (!score) return null
  const { passed, verdict, reward = passed ? 1 : 0, metrics, evidence, policies, attempts } = score
  const metadata = {
    ...{ verdict, reward, metrics, evidence },
    ...(policies && { policies }),
    ...(attempts && { attempts }),
    ...(opinion && { second_opinion: opinion }),
  }
  return {
    [scoreName]: {
      value: passed ? 'C' : 'I',
      answer,
      explanation: explainVerdict(scored),
      metadata: metadata as JsonValue,
    },
  }
}

export function buildInspectSample(logged: LoggedSample): JsonValue {
  const { owner, case: c, target, outcome, transcripts } = logged
  const { scored } = outcome
  const model = getModelName(owner.model)
  const id = `${owner.id}-${c.id}-${scored.sample}`
  const asMessages = (one: Transcript, at: number) => convertMessages(one, `${id}-${at}`, model)
  const deciding = findDecidingDialogue(logged)
  const transcript = transcripts[deciding]
  const messages = transcript ? asMessages(transcript, deciding) : []
  const others = transcripts.flatMap((one, at): JsonValue[] =>
    at === deciding
      ? []
      : [
          {
            role: one.role,
            ...(one.input !== undefined && { input: one.input }),
            messages: asMessages(one, at),
          },
        ],
  )
  const { notScored, mutant } = scored
  return {
    id: c.id,
    epoch: scored.sample + 1,
    input: c.instruction,
    target: target ?? '',
    messages,
    output: transcript ? buildOutput(transcript, messages, model) : { model, choices: [], completion: '' },
    scores: buildScores(logged),
    metadata: {
      group: 'group' in c ? c.group : c.scenario,
      ...(mutant && { mutant }),
      ...(transcript?.tools && { tools: transcript.tools as JsonValue }),
      ...(others.length > 0 && { transcripts: others }),
    },
    ...buildUsage(owner, outcome),
    uuid: id,
    ...(notScored !== undefined && {
      error: { message: notScored, traceback: '', traceback_ansi: '' },
    }),
    ...(transcript && {
      turn_count: transcript.messages.filter(({ role }) => role === 'assistant').length,
    }),
  }
}
