import { ServiceError } from '@stateeval/client'
import type { CallMatch, ReferenceAnswer, SampleAnswer, ScoredSample } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { formatPlural, explainSample, splitWords } from '../report/format.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { createCounter } from '../suite/counter.ts'
import { listGivenAnswers } from '../suite/given-answers.ts'
import { readEveryPage } from '../suite/pages.ts'
import type { TerminalColors } from '../terminal.ts'

interface AnswersCommand {
  case?: string
}
type EvaluationClient = ReturnType<typeof connectEvaluation>

/** The reference's calls by step, each above those of the answer, in the colour of the stage that matched. */
function matchLines(matches: readonly CallMatch[], pc: TerminalColors): string[] {
  const colors: Record<string, (text: string) => string> = {
    rule: pc.green,
    free: pc.blue,
    response: pc.cyan,
    judge: pc.magenta,
  }
  return matches.flatMap(({ step, expected, reply, found, by }, at) => {
    const before = matches[at - 1]
    const isSame = before !== undefined && before.step === step && before.expected === expected
    const title = expected === undefined ? '  no step' : `  step ${step}: ${expected}`
    const color = (by === undefined ? undefined : colors[by]) ?? pc.red
    const line = found === undefined ? 'missing' : `${by ?? 'no match'}, reply ${reply}: ${found}`
    return [...(isSame ? [] : [title]), `    ${color(line)}`]
  })
}

/** An answer to read, with its verdict and what differed. */
function formatAnswer(
  { sample, answer, finish }: SampleAnswer,
  result: ScoredSample | undefined,
  pc: TerminalColors,
): string {
  const { score, notScored } = result ?? {}
  const verdict = score
    ? splitWords(score.verdict)
    : `not scored${notScored === undefined ? '' : `: ${notScored}`}`
  return [
    pc.bold(`Sample ${sample}: ${verdict}${finish === 'length' ? ' (the answer was cut short)' : ''}`),
    ...(score ? explainSample(score.evidence) : []).map((line) => `  ${line}`),
    ...matchLines(score?.evidence.matches ?? [], pc),
    '',
    answer?.trimEnd() ?? '(no answer)',
  ].join('\n')
}

const formatSamplePlace = ({ case: id, sample }: { case: string; sample: number }) => `${id}/${sample}`

const formatTitledSection = (pc: TerminalColors, title: string, text: string) =>
  `${pc.bold(title)}\n\n${text.trimEnd()}`

const formatReferenceAnswer = ({ steps, answer, language }: ReferenceAnswer): string =>
  steps
    ?.map((calls, at) =>
      calls.map(({ name, arguments: args }) => `step ${at + 1}: ${name} ${args}`).join('\n'),
    )
    .join('\n') ??
  answer ??
  `(none${language ? ` in ${language}` : ''})`

/** A case to read: what was asked for, what solves it, and each answer under its verdict. */
function formatCase(
  name: string,
  reference: ReferenceAnswer | null,
  answers: readonly string[],
  pc: TerminalColors,
): string {
  const inputs =
    reference === null
      ? ['The benchmark was deleted, and the instruction with it.']
      : [
          formatTitledSection(pc, `${name}: instruction`, reference.instruction),
          formatTitledSection(pc, 'Reference', formatReferenceAnswer(reference)),
        ]
  return [...inputs, ...answers].join('\n\n')
}

/** null where the benchmark is gone: evaluations outlive it. */
async function loadCaseReference(
  client: EvaluationClient,
  id: string,
  name: string,
): Promise<ReferenceAnswer | null> {
  const { benchmark, options } = await client.getEvaluation({ params: { id } })
  try {
    return await client.getBenchmarkReference({
      params: { id: benchmark, case: name },
      query: { ...(options.language && { language: options.language }) },
    })
  } catch (error) {
    if (error instanceof ServiceError && error.problem.status === 404) return null
    throw error
  }
}

/** The samples of one case. Without the benchmark, the service no longer knows which these are. */
async function listCaseSamples<T extends { case: string }>(
  name: string,
  ask: (query: { limit: number; cursor?: string; case?: string }) => Promise<{ items: T[]; next?: string }>,
): Promise<T[]> {
  try {
    return await readEveryPage((query) => ask({ ...query, case: name }))
  } catch (error) {
    if (!(error instanceof ServiceError) || error.problem.status !== 409) throw error
    return (await readEveryPage(ask)).filter((one) => one.case === name)
  }
}

export const answers = defineCommand<AnswersCommand>({
  name: 'answers <evaluation>',
  describe: 'Print the answers as JSON lines that evaluate accepts, or one case to read',
  example: [
    'npx stateeval answers ev_0123456789abcdef > answers.jsonl',
    'npx stateeval answers ev_0123456789abcdef --case session-service-b7e6e072e94e',
  ].join('\n'),
  configure: (command) =>
    command.option(
      '--case <id>',
      'one case: instruction, reference, and each answer with its verdict and differences',
    ),
  run: async ({ options, args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const client = connectEvaluation()
      const params = { id: args[0]! }
      const name = options.case
      if (name === undefined) {
        const { counts } = await client.getEvaluation({ params })
        const tell = createCounter('answers', counts.samples, terminal)
        const all = await readEveryPage(
          (query) => client.getEvaluationAnswers({ params, query }),
          (count) => tell(count, 'samples'),
        )
        const results = await readEveryPage((query) => client.getEvaluationResults({ params, query }))
        const reasons = new Map(
          results.flatMap((one) =>
            one.score
              ? []
              : [
                  [
                    formatSamplePlace(one),
                    { notScored: one.notScored ?? 'not scored', ...(one.reason && { reason: one.reason }) },
                  ],
                ],
          ),
        )
        const given = listGivenAnswers(all, (one) => reasons.get(formatSamplePlace(one)) ?? null)
        if (reasons.size > 0)
          terminal.step(
            `${formatPlural(reasons.size, 'sample has', 'samples have')} no score: "notScored" and "reason" say why. Remove both to have an answer scored.`,
          )
        if (given.length < all.length)
          terminal.step(`Left out ${formatPlural(all.length - given.length, 'sample')} without an answer.`)
        if (given.length > 0 || terminal.json)
          terminal.result(given, () => given.map((one) => JSON.stringify(one)).join('\n'))
        return 0
      }
      const samples = await listCaseSamples(name, (query) => client.getEvaluationAnswers({ params, query }))
      if (samples.length === 0)
        throw new Failure(
          `The evaluation ${params.id} has no answer to the case ${name} so far. Its cases: npx stateeval report ${params.id}`,
        )
      const results = await listCaseSamples(name, (query) => client.getEvaluationResults({ params, query }))
      const matches = samples.map(({ sample }) => results.find((one) => one.sample === sample))
      const reference = await loadCaseReference(client, params.id, name)
      terminal.result(
        {
          case: name,
          reference,
          samples: samples.map((one, at) => ({ ...one, scored: matches[at] ?? null })),
        },
        () => {
          const texts = samples.map((one, at) => formatAnswer(one, matches[at], terminal.colors))
          return formatCase(name, reference, texts, terminal.colors)
        },
      )
      return 0
    }),
})
