/** Asks an endpoint the questions of a probe, and puts together what they show. */
import {
  type ProbeFinding,
  type FindingId,
  findingIds,
  type ModelSettings,
  type Usage,
} from '@stateeval/contracts'
import { createMemoryAnswers } from '../answers.ts'
import { createAsker } from '../asking/ask-once.ts'
import { type SpendingAccount, createLedger } from '../asking/ledger.ts'
import type { SpendingMeter } from '../asking/meter.ts'
import type { AnsweredQuestion, QuestionOutcome } from '../asking/question.ts'
import type { ModelClient } from '../client.ts'
import { getKnownManners } from '../dialects/manners.ts'
import type { NamedModel } from '../request.ts'
import { type ProbeQuestion, probeQuestions } from './questions.ts'
import type { FoundValue } from './readers.ts'
import { withRemedy } from './remedies.ts'

/** How a probe ended. `usage` is what it cost, also if it failed. */
export type ProbeEnd = { usage: Usage } & (
  | { ok: true; findings: ProbeFinding[] }
  | { ok: false; reason: string }
)

interface ProbeTools {
  modelClient: Pick<ModelClient, 'ask' | 'contextLength'>
  /** Absent where nobody but the account limits what is asked. */
  meter?: SpendingMeter
}

/** No probe takes longer; what is unanswered by then is unknown. */
export const longestProbeMs = 120_000
const longestAnswerMs = 60_000
/** Parameters that the questions set, or that would change what they show. */
const ownParameters: ReadonlySet<string> = new Set([
  ...['max_tokens', 'max_completion_tokens', 'temperature', 'seed', 'stop', 'response_format'],
  ...['tool_choice', 'parallel_tool_calls', 'logprobs', 'top_logprobs'],
])

/**
 * Asks each question once, those that do not depend on another one together. Their answers are kept nowhere,
 * so the next probe asks again. An endpoint that does not answer the first question is asked nothing else.
 */
export async function probeModel(
  { modelClient, meter }: ProbeTools,
  account: SpendingAccount,
  { name, settings }: NamedModel,
  signal: AbortSignal,
): Promise<ProbeEnd> {
  const ledger = createLedger()
  const asker = createAsker({ modelClient, answers: createMemoryAnswers(), ledger, ...(meter && { meter }) })
  const ending = AbortSignal.any([signal, AbortSignal.timeout(longestProbeMs)])
  const ask = (question: ProbeQuestion) =>
    Promise.all(
      Array.from({ length: question.times ?? 1 }, (_, time) =>
        asker.ask(
          account,
          `${account.id}/${question.id}/${time}`,
          {
            ...question.request,
            isProbe: true,
            model: { name, settings: buildQuestionSettings(settings, question) },
            // Questions may differ in what no key has.
            attempt: probeQuestions.indexOf(question) * 10 + time,
          },
          ending,
        ),
      ),
    )
  const usageOf = () => ledger.usageOf({ id: account.id })
  const length = modelClient.contextLength({ ...settings, timeoutMs: longestAnswerMs / 10 })
  const [first, ...rest] = probeQuestions as readonly [ProbeQuestion, ...ProbeQuestion[]]
  const [opening] = (await ask(first)) as [QuestionOutcome]
  if (opening.kind !== 'answered') return { ok: false, reason: opening.reason, usage: await usageOf() }
  const found = new Map<FindingId, FoundValue>()
  const note = (question: ProbeQuestion, ends: readonly QuestionOutcome[]) => {
    for (const [id, value] of Object.entries(readProbeValues(question, ends)) as [FindingId, FoundValue][])
      found.set(id, chooseWeightier(found.get(id), value))
  }
  note(first, [opening])
  const lacks = (question: ProbeQuestion): string | null =>
    settings.api === 'completions' && question.isChat
      ? 'the completions API has no roles, tools and schemas'
      : question.isOfCalls && found.get('tools')?.found !== 'yes'
        ? 'the endpoint makes no tool calls'
        : null
  for (const isOfCalls of [false, true])
    await Promise.all(
      rest
        .filter((question) => (question.isOfCalls ?? false) === isOfCalls)
        .map(async (question) => {
          const reason = lacks(question)
          if (reason === null) return note(question, await ask(question))
          for (const id of Object.keys(question.finds) as FindingId[])
            found.set(id, chooseWeightier(found.get(id), { found: 'unknown', reason }))
        }),
    )
  const tokens = await length
  found.set(
    'contextLength',
    tokens === null
      ? { found: 'unknown', reason: 'the endpoint’s list of models does not name it' }
      : { found: 'yes', value: String(tokens) },
  )
  const known = getKnownManners(settings)
  const findings = findingIds.flatMap((id) => {
    const value = found.get(id)
    return value ? [withRemedy({ id, ...value }, known)] : []
  })
  return { ok: true, findings, usage: await usageOf() }
}

/** The model's settings without what a question sets itself. */
function buildQuestionSettings(settings: ModelSettings, { isStreamed }: ProbeQuestion): ModelSettings {
  const { parameters = {}, timeoutMs = longestAnswerMs } = settings
  return {
    ...settings,
    stream: isStreamed === true,
    retries: 1,
    timeoutMs: Math.min(timeoutMs, longestAnswerMs),
    parameters: Object.fromEntries(Object.entries(parameters).filter(([name]) => !ownParameters.has(name))),
  }
}

/** Reads the findings of a question by how it ended. */
function readProbeValues(
  { finds, rejected }: ProbeQuestion,
  ends: readonly QuestionOutcome[],
): Partial<Record<FindingId, FoundValue>> {
  const silent = ends.find((end) => end.kind === 'unanswered')
  const answers = ends.flatMap((end): AnsweredQuestion[] => (end.kind === 'answered' ? [end.answer] : []))
  return Object.fromEntries(
    Object.entries(finds).map(([id, read]): [string, FoundValue] => {
      if (!silent) return [id, read(answers)]
      const { cause } = silent
      const reason = cause === 'stopped' ? 'it was not answered in time' : silent.reason
      return [
        id,
        cause === 'request' && id === rejected
          ? { found: 'no', how: 'rejected', reason }
          : { found: 'unknown', reason },
      ]
    }),
  )
}

/** Chooses between the values of two questions about the same: a fault outweighs the lack of one. */
function chooseWeightier(one: FoundValue | undefined, next: FoundValue): FoundValue {
  const weights = { no: 2, yes: 1, unknown: 0 }
  return one && weights[one.found] >= weights[next.found] ? one : next
}
