import type { Review, ReviewDecision } from '@stateeval/contracts'
import { Option } from 'commander'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { formatPlural, splitWords } from '../report/format.ts'
import { formatReview } from '../report/review.ts'
import { setText } from '../report/set.ts'
import { save } from '../suite/download.ts'
import { getUserName } from '../local/user.ts'
import { checkTarget } from '../suite/folder.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { readEveryPage } from '../suite/pages.ts'
import { formatTable, type CommandTerminal } from '../terminal.ts'
import { readText, unreadable } from '../text-file.ts'

interface ReviewCommand {
  status?: Review['status']
  because?: string
  by?: string
  yes?: string[]
  instruction?: string
  task?: string
  apply?: true
  out?: string
}
type ReviewClient = ReturnType<typeof connectEvaluation>

const decisions = ['accept', 'reject', 'edit'] as const
const readReviews = (client: ReviewClient, id: string, status?: Review['status']) =>
  readEveryPage((query) =>
    client.listReviews({ params: { id }, query: { ...query, ...(status && { status }) } }),
  )

async function list(
  client: ReviewClient,
  id: string,
  status: Review['status'] | undefined,
  terminal: CommandTerminal,
): Promise<void> {
  const reviews = await readReviews(client, id, status)
  const rows = reviews.map((one) => {
    const last = one.decisions.at(-1)
    return [
      one.case,
      one.target,
      splitWords(one.status),
      last && `${last.decision} by ${last.by}`,
      (one.reason ?? one.instruction ?? '').split('\n')[0]?.slice(0, 70),
    ]
  })
  const open = reviews.filter(
    ({ status, decisions }) => status === 'needs_review' && decisions.length === 0,
  ).length
  terminal.result(reviews, () =>
    reviews.length === 0
      ? `The benchmark ${id} has nothing to review${status ? ` with the status ${splitWords(status)}` : ''}.`
      : [
          formatTable(['case', 'for', 'status', 'decision', 'reason or instruction'], rows),
          ...(open > 0 ? [`${formatPlural(open, 'case needs', 'cases need')} a decision.`] : []),
          `Read one: npx stateeval review ${id} CASE`,
        ].join('\n\n'),
  )
}

async function read(
  client: ReviewClient,
  id: string,
  name: string,
  terminal: CommandTerminal,
): Promise<void> {
  const caseReview = (await readReviews(client, id)).find((one) => one.case === name)
  if (!caseReview)
    throw new Failure(
      `The benchmark ${id} has nothing to review under ${name}. All of its cases: npx stateeval review ${id}`,
    )
  terminal.result(caseReview, () => formatReview(id, caseReview, terminal.colors))
}

const readContent = (file: string) =>
  readText(file).catch(unreadable(`${file} cannot be read; --task takes a JSON file with the new solution.`))
async function readTask(file: string): Promise<unknown> {
  const text = await readContent(file)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Failure(`${file} is not valid JSON; --task takes a JSON file with the new solution.`)
  }
}

async function sendDecision(
  client: ReviewClient,
  id: string,
  name: string,
  decisionName: string,
  options: ReviewCommand,
  terminal: CommandTerminal,
): Promise<void> {
  const decision = decisions.find((one) => one === decisionName)
  if (!decision)
    throw new Failure(`There is no decision ${decisionName}; decide with ${decisions.join(', ')}.`)
  const { because, by = getUserName(), yes = [], instruction, task } = options
  if (because === undefined) throw new Failure('A decision needs a reason. Add --because TEXT.')
  const questions = yes.includes('all')
    ? ((await readReviews(client, id)).find((one) => one.case === name)?.questions ?? []).map((one) => one.id)
    : yes
  const body: ReviewDecision = {
    decision,
    by,
    because,
    ...(instruction !== undefined && { instruction }),
    ...(task !== undefined && { task: await readTask(task) }),
    ...(questions.length > 0 && {
      answers: Object.fromEntries(questions.map((question) => [question, true])),
    }),
  }
  const decided = await client.decideReview({ params: { id, case: name }, body })
  terminal.result(
    decided,
    () =>
      `${name}: ${decision} by ${by}. When all cases are decided, build the resulting set: npx stateeval review ${id} --apply`,
  )
}

async function apply(
  client: ReviewClient,
  id: string,
  out: string | undefined,
  terminal: CommandTerminal,
): Promise<void> {
  if (out) await checkTarget(out)
  const benchmark = await client.createReviewedBenchmark({ params: { id } })
  await save(benchmark, out, terminal)
  const next = `${out ? `Written to ${out}. ` : ''}Next: npx stateeval evaluate --benchmark ${out ?? benchmark.id} --model reference`
  terminal.result(benchmark, () => [...setText(benchmark), next].join('\n\n'))
}

export const review = defineCommand<ReviewCommand>({
  name: 'review <benchmark> [case] [decision]',
  describe:
    'List the instructions or tasks of a benchmark that was built here, read a case with its evidence, decide on it, build the resulting benchmark',
  example: [
    'npx stateeval review bm_0123456789abcdef --status needs_review',
    'npx stateeval review bm_0123456789abcdef shop-12',
    "npx stateeval review bm_0123456789abcdef shop-12 accept --yes all --because 'Complete and clear'",
    "npx stateeval review bm_0123456789abcdef shop-13 edit --instruction 'List all orders' --yes all --because 'It was vague'",
    'npx stateeval review bm_0123456789abcdef --apply --out reviewed/',
  ].join('\n'),
  configure: (command) =>
    command
      .addOption(
        new Option('--status <status>', 'list only cases with this status').choices([
          'verified',
          'rejected',
          'needs_review',
        ]),
      )
      .option('--because <text>', 'with a decision: the reason')
      .option('--by <name>', 'with a decision: the person who decides (default: your user name)')
      .option(
        '--yes <questions>',
        'with accept and edit: which of the questions you answer with yes, separated by commas, or all',
        (text: string) => text.split(',').map((one) => one.trim()),
      )
      .option('--instruction <text>', 'with edit: the new instruction')
      .option('--task <file>', 'with edit of an API task: the new solution as JSON')
      .option('--apply', 'build the benchmark that follows the decisions')
      .option('--out <folder>', 'with --apply: write it to this benchmark folder'),
  run: async ({ options, args, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const [id, name, decision] = args as [string, string?, string?]
      const client = connectEvaluation()
      if (options.apply && name !== undefined)
        throw new Failure('--apply covers the whole benchmark. Leave out the case.')
      if (options.apply) await apply(client, id, options.out, terminal)
      else if (name === undefined) await list(client, id, options.status, terminal)
      else if (decision === undefined) await read(client, id, name, terminal)
      else await sendDecision(client, id, name, decision, options, terminal)
      return 0
    }),
})
