import type { SampleAnswer, ScoredSample } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { whyOf, words } from '../report/format.ts'
import { evaluation, talk } from '../suite/index.ts'
import { everyPage } from '../suite/pages.ts'

interface AnswersCommand {
  case?: string
}

/** An answer to read, under what it was scored. */
function shown({ case: id, sample, answer, finish }: SampleAnswer, scored: ScoredSample | undefined): string {
  const { score, notScored } = scored ?? {}
  const verdict = score ? words(score.verdict) : `not scored${notScored === undefined ? '' : `: ${notScored}`}`
  return [
    `${id} sample ${sample}: ${verdict}${finish === 'length' ? ' (the answer was cut short)' : ''}`,
    ...(score ? whyOf(score.evidence) : []).map((line) => `  ${line}`),
    '',
    answer ?? '(no answer)',
    '',
  ].join('\n')
}

export const answers = defineCommand<AnswersCommand>({
  name: 'answers <evaluation>',
  describe: 'Print what was answered, as JSON lines that evaluate takes again; or of one case, to read',
  example: [
    'npx stateeval answers ev_0123456789abcdef > answers.jsonl',
    'npx stateeval answers ev_0123456789abcdef --case session-service-b7e6e072e94e',
  ].join('\n'),
  configure: (command) => command.option('--case <id>', 'of this case only, each answer under its verdict and what differed'),
  run: async ({ options, args, terminal }) =>
    talk(async (): Promise<ExitCode> => {
      const client = evaluation()
      const params = { id: args[0]! }
      const all = await everyPage((query) => client.getEvaluationAnswers({ params, query }))
      if (options.case === undefined) {
        const given = all.flatMap(({ case: id, sample, answer }) => (answer === null ? [] : [{ case: id, sample, answer }]))
        if (given.length < all.length) terminal.step(`${all.length - given.length} samples have no answer, and no line.`)
        if (given.length > 0 || terminal.json) terminal.result(given, () => given.map((one) => JSON.stringify(one)).join('\n'))
        return 0
      }
      const own = all.filter(({ case: id }) => id === options.case)
      if (own.length === 0)
        throw new Failure(`the evaluation ${params.id} has no answer for a case ${options.case}, so far; its report names the cases`)
      const results = await everyPage((query) => client.getEvaluationResults({ params, query }))
      const scored = own.map(({ sample }) => results.find((one) => one.case === options.case && one.sample === sample))
      terminal.result(
        own.map((one, at) => ({ ...one, scored: scored[at] ?? null })),
        () => own.map((one, at) => shown(one, scored[at])).join('\n'),
      )
      return 0
    }),
})
