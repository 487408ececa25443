import type { DeadLetter, DeadLetterFilter, RedriveResult } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { formatMinute } from '../report/format.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { readEveryPage } from '../suite/pages.ts'
import { formatTable, type CommandTerminal } from '../terminal.ts'

interface DeadLetterOptions extends DeadLetterFilter {
  all?: boolean
}

const getFirstLine = (text: string) => {
  const [line = ''] = text.split('\n')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

async function showAll(filter: DeadLetterFilter, terminal: CommandTerminal): Promise<void> {
  const letters = await readEveryPage<DeadLetter>((query) =>
    connectEvaluation().listDeadLetters({ query: { ...query, ...filter } }),
  )
  terminal.result(letters, () =>
    letters.length === 0
      ? 'There are no dead letters.'
      : formatTable(
          ['id', 'job', 'tries', 'of', 'died (UTC)', 'error'],
          letters.map(({ id, kind, attempts, owner, diedAt, error }) => [
            id,
            kind,
            attempts,
            owner,
            formatMinute(diedAt),
            getFirstLine(error),
          ]),
        ),
  )
}

async function showOne(id: string, terminal: CommandTerminal): Promise<void> {
  const letter = await connectEvaluation().getDeadLetter({ params: { id } })
  const { payload, artifact, replyTo, ...rest } = letter
  terminal.result(letter, () =>
    [
      ...Object.entries(rest).map(([name, value]) => `${name}: ${value}`),
      ...(replyTo ? [`waited for by: ${replyTo.step}`] : []),
      artifact === undefined ? JSON.stringify(payload, null, 2) : `payload: artifact ${artifact}`,
    ].join('\n'),
  )
}

const formatRedriven = ({ id, kind, job, owner }: RedriveResult) =>
  `${id}: ${kind} ${job} is queued again${
    owner ? `; ${owner.id} ${owner.resumed ? 'goes on' : `is ${owner.status}`}` : ''
  }`

/** Sends a request until no more jobs match, and returns the answers. */
async function repeatWhileMore<T extends { more: boolean }>(send: () => Promise<T>): Promise<T[]> {
  const answers = [await send()]
  while (answers.at(-1)!.more) answers.push(await send())
  return answers
}

async function redriveAllLetters(filter: DeadLetterFilter, terminal: CommandTerminal): Promise<void> {
  const answers = await repeatWhileMore(() => connectEvaluation().redriveDeadLetters({ body: filter }))
  const redriven = answers.flatMap((answer) => answer.redriven)
  terminal.result(redriven, () =>
    redriven.length === 0 ? 'No dead letter matches.' : redriven.map(formatRedriven).join('\n'),
  )
}

async function discardAllLetters(filter: DeadLetterFilter, terminal: CommandTerminal): Promise<void> {
  const answers = await repeatWhileMore(() => connectEvaluation().discardDeadLetters({ body: filter }))
  const discarded = answers.flatMap((answer) => answer.discarded)
  terminal.result(
    discarded.map((id) => ({ id, status: 'discarded' })),
    () =>
      discarded.length === 0
        ? 'No dead letter matches.'
        : discarded.map((id) => `${id} is discarded`).join('\n'),
  )
}

export const deadLetters = defineCommand<DeadLetterOptions>({
  name: 'dead-letters [action] [id]',
  describe: 'Manage jobs that failed at every attempt: list, show ID, discard or redrive ID or --all',
  example:
    'npx stateeval dead-letters\nnpx stateeval dead-letters show 3f8e1c0d9b7a65240f1e2d3c4b5a6978\nnpx stateeval dead-letters redrive 3f8e1c0d9b7a65240f1e2d3c4b5a6978\nnpx stateeval dead-letters redrive --kind execution.execute --all\nnpx stateeval dead-letters discard --error "no jail" --all',
  configure: (command) =>
    command
      .option('--kind <queue>', 'only jobs of this queue, such as execution.execute')
      .option('--owner <id>', 'only jobs of this evaluation or build')
      .option('--job <id>', 'only this job')
      .option('--error <text>', 'only jobs whose error contains this text')
      .option('--all', 'discard and redrive: all jobs that match the filters'),
  run: async ({ options, args: [action = 'list', id], terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const { kind, owner, job, error, all } = options
      const filter = {
        ...(kind !== undefined && { kind }),
        ...(owner !== undefined && { owner }),
        ...(job !== undefined && { job }),
        ...(error !== undefined && { error }),
      }
      if (action === 'list') await showAll(filter, terminal)
      else if (action === 'show' && id !== undefined) await showOne(id, terminal)
      else if (action === 'discard' && id !== undefined) {
        await connectEvaluation().discardDeadLetter({ params: { id } })
        terminal.result({ id, status: 'discarded' }, () => `${id} is discarded`)
      } else if (action === 'discard' && all) await discardAllLetters(filter, terminal)
      else if (action === 'redrive' && id !== undefined) {
        const redriven = await connectEvaluation().redriveDeadLetter({ params: { id } })
        terminal.result(redriven, () => formatRedriven(redriven))
      } else if (action === 'redrive' && all) await redriveAllLetters(filter, terminal)
      else
        throw new Failure(
          ['show', 'discard', 'redrive'].includes(action)
            ? `Which dead letter? Name its id${action === 'show' ? '' : ', or --all for all that match'}; npx stateeval dead-letters lists them.`
            : `Unknown action ${action}. Use list, show, discard or redrive.`,
        )
      return 0
    }),
})
