/** The limits, usage and retention of a project, for `projects`. */
import { budgetParts, type ProjectLimits, type ProjectUsage } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { groupDigits } from '../report/format.ts'
import { connectEvaluation } from '../suite/index.ts'
import { formatTable, type CommandTerminal } from '../terminal.ts'

const workNames = [
  'requestsPerSecond',
  'requestKiB',
  'evaluations',
  'builds',
  'episodes',
  'streams',
  'queuedExecutions',
] as const
const budgetNames = ['periodDays', ...budgetParts] as const

/** A number, `none` for no limit, `default` for the installation's default. */
function parseLimit(name: string, text: string): number | null | undefined {
  if (text === 'none') return null
  if (text === 'default') return undefined
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new Failure(`Cannot read ${name}=${text}. Use a number, none or default.`)
}

/** The limits with `<name>=<value>` applied; other limits stay unchanged. */
function changeLimits(ownLimits: ProjectLimits, changes: readonly string[]): ProjectLimits {
  const { budget = {}, ...rest } = ownLimits
  const limits: Record<string, number | null | undefined> = { ...rest }
  const ofBudget: Record<string, number | null | undefined> = { ...budget }
  for (const change of changes) {
    const [, name = '', text = ''] = /^(\w+)=(.*)$/.exec(change) ?? []
    const isOfBudget = budgetNames.some((one) => one === name)
    if (!isOfBudget && !workNames.some((one) => one === name))
      throw new Failure(
        `Unknown limit ${change}. Use <name>=<value> with ${[...workNames, ...budgetNames].join(', ')}.`,
      )
    const into = isOfBudget ? ofBudget : limits
    const value = parseLimit(name, text)
    if (value === undefined) delete into[name]
    else into[name] = value
  }
  return { ...limits, ...(Object.keys(ofBudget).length > 0 && { budget: ofBudget }) }
}

const limitText = (value: number | null | undefined) =>
  value === undefined || value === null ? 'none' : groupDigits(value)

const describeLimitOwner = (ownLimit: number | null | undefined, effective: number | null | undefined) =>
  ownLimit !== undefined ? 'project' : effective !== undefined ? 'default' : ''

export async function showLimits(
  id: string,
  changes: readonly string[],
  terminal: CommandTerminal,
): Promise<void> {
  const params = { id }
  const before = await connectEvaluation().getProjectLimits({ params })
  const limits =
    changes.length === 0
      ? before
      : await connectEvaluation().setProjectLimits({ params, body: changeLimits(before.own, changes) })
  const { own, effective } = limits
  terminal.result(limits, () =>
    formatTable(
      ['limit', 'value', 'set by'],
      [
        ...workNames.map((name) => [
          name,
          limitText(effective[name]),
          describeLimitOwner(own[name], effective[name]),
        ]),
        ...budgetNames.map((name) => [
          name,
          name === 'periodDays' && (effective.budget?.periodDays ?? null) === null
            ? 'calendar month'
            : limitText(effective.budget?.[name]),
          describeLimitOwner(own.budget?.[name], effective.budget?.[name]),
        ]),
      ],
    ),
  )
}

const formatMib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`
const buildUsageRows = ({ used, limits, exhausted, running, storedBytes }: ProjectUsage) => {
  const ofBudget = (name: (typeof budgetParts)[number], value: string) => [
    name,
    value,
    limitText(limits.budget?.[name]),
    exhausted.includes(name) ? 'used up' : '',
  ]
  return [
    ['requests', groupDigits(used.requests), '', ''],
    ['requests to models', groupDigits(used.modelRequests), '', ''],
    ofBudget('promptTokens', groupDigits(used.promptTokens)),
    ofBudget('completionTokens', groupDigits(used.completionTokens)),
    ofBudget('usd', used.usd.toFixed(2)),
    ofBudget('cpuSeconds', used.cpuSeconds.toFixed(1)),
    ['evaluations running', groupDigits(running.evaluations), limitText(limits.evaluations), ''],
    ['builds running', groupDigits(running.builds), limitText(limits.builds), ''],
    ['episodes open', groupDigits(running.episodes), limitText(limits.episodes), ''],
    ['streams', groupDigits(running.streams), limitText(limits.streams), ''],
    ['executions open', groupDigits(running.executions), limitText(limits.queuedExecutions), ''],
    ['stored', formatMib(storedBytes), '', ''],
  ]
}

export async function showUsage(
  id: string,
  on: string | undefined,
  terminal: CommandTerminal,
): Promise<void> {
  const usage = await connectEvaluation().getProjectUsage({
    params: { id },
    query: { ...(on !== undefined && { on }) },
  })
  terminal.result(usage, () =>
    [
      `${usage.project}, from ${usage.from} until before ${usage.until} (UTC)`,
      formatTable(['what', 'used', 'limit', ''], buildUsageRows(usage)),
    ].join('\n'),
  )
}

export async function showRetention(
  id: string,
  text: string | undefined,
  terminal: CommandTerminal,
): Promise<void> {
  const params = { id }
  const days = text === undefined ? undefined : parseLimit('days', text)
  const retention =
    text === undefined
      ? await connectEvaluation().getRetention({ params })
      : await connectEvaluation().setRetention({ params, body: days === undefined ? {} : { days } })
  const { days: effectiveDays = null } = retention.effective
  terminal.result(retention, () =>
    effectiveDays === null
      ? `${id} keeps everything until it is deleted.`
      : `${id} keeps what has ended for ${effectiveDays} ${effectiveDays === 1 ? 'day' : 'days'}.`,
  )
}
