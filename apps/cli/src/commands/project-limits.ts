/** The limits, usage and retention of a project, for `projects`. */
import { budgetParts, type ProjectLimits, type ProjectUsage } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { grouped } from '../report/format.ts'
import { evaluation } from '../suite/index.ts'
import { table, type Terminal } from '../terminal.ts'

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
function valueIn(name: string, text: string): number | null | undefined {
  if (text === 'none') return null
  if (text === 'default') return undefined
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value)) return value
  throw new Failure(`Cannot read ${name}=${text}. Use a number, none or default.`)
}

/** The limits with `<name>=<value>` applied; other limits stay unchanged. */
export function changedLimits(ownLimits: ProjectLimits, changes: readonly string[]): ProjectLimits {
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
    const value = valueIn(name, text)
    if (value === undefined) delete into[name]
    else into[name] = value
  }
  return { ...limits, ...(Object.keys(ofBudget).length > 0 && { budget: ofBudget }) }
}

const limitText = (value: number | null | undefined) =>
  value === undefined || value === null ? 'none' : grouped(value)

const whose = (ownLimit: number | null | undefined, effective: number | null | undefined) =>
  ownLimit !== undefined ? 'project' : effective !== undefined ? 'default' : ''

export async function showLimits(id: string, changes: readonly string[], terminal: Terminal): Promise<void> {
  const params = { id }
  const before = await evaluation().getProjectLimits({ params })
  const limits =
    changes.length === 0
      ? before
      : await evaluation().setProjectLimits({ params, body: changedLimits(before.own, changes) })
  const { own, effective } = limits
  terminal.result(limits, () =>
    table(
      ['limit', 'value', 'set by'],
      [
        ...workNames.map((name) => [name, limitText(effective[name]), whose(own[name], effective[name])]),
        ...budgetNames.map((name) => [
          name,
          name === 'periodDays' && (effective.budget?.periodDays ?? null) === null
            ? 'calendar month'
            : limitText(effective.budget?.[name]),
          whose(own.budget?.[name], effective.budget?.[name]),
        ]),
      ],
    ),
  )
}

const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`
const rows = ({ used, limits, exhausted, running, storedBytes }: ProjectUsage) => {
  const ofBudget = (name: (typeof budgetParts)[number], value: string) => [
    name,
    value,
    limitText(limits.budget?.[name]),
    exhausted.includes(name) ? 'used up' : '',
  ]
  return [
    ['requests', grouped(used.requests), '', ''],
    ['requests to models', grouped(used.modelRequests), '', ''],
    ofBudget('promptTokens', grouped(used.promptTokens)),
    ofBudget('completionTokens', grouped(used.completionTokens)),
    ofBudget('usd', used.usd.toFixed(2)),
    ofBudget('cpuSeconds', used.cpuSeconds.toFixed(1)),
    ['evaluations running', grouped(running.evaluations), limitText(limits.evaluations), ''],
    ['builds running', grouped(running.builds), limitText(limits.builds), ''],
    ['episodes open', grouped(running.episodes), limitText(limits.episodes), ''],
    ['streams', grouped(running.streams), limitText(limits.streams), ''],
    ['executions open', grouped(running.executions), limitText(limits.queuedExecutions), ''],
    ['stored', mib(storedBytes), '', ''],
  ]
}

export async function showUsage(id: string, on: string | undefined, terminal: Terminal): Promise<void> {
  const usage = await evaluation().getProjectUsage({
    params: { id },
    query: { ...(on !== undefined && { on }) },
  })
  terminal.result(usage, () =>
    [
      `${usage.project}, from ${usage.from} until before ${usage.until} (UTC)`,
      table(['what', 'used', 'limit', ''], rows(usage)),
    ].join('\n'),
  )
}

export async function showRetention(id: string, text: string | undefined, terminal: Terminal): Promise<void> {
  const params = { id }
  const days = text === undefined ? undefined : valueIn('days', text)
  const retention =
    text === undefined
      ? await evaluation().getRetention({ params })
      : await evaluation().setRetention({ params, body: days === undefined ? {} : { days } })
  const { days: effectiveDays = null } = retention.effective
  terminal.result(retention, () =>
    effectiveDays === null
      ? `${id} keeps everything until it is deleted.`
      : `${id} keeps what has ended for ${effectiveDays} ${effectiveDays === 1 ? 'day' : 'days'}.`,
  )
}
