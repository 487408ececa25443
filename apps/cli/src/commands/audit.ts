import type { AuditEntry, AuditFilter } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { formatMinute } from '../report/format.ts'
import { createTally } from '../suite/counter.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { writePieces } from '../suite/output.ts'
import { formatTable, type CommandTerminal } from '../terminal.ts'

interface AuditLogOptions {
  operation?: string
  subject?: string
  outcome?: string
  since?: string
  until?: string
  out?: string
}

const outcomes = ['done', 'refused', 'failed'] as const
const parseTime = (text: string, option: string) => {
  const at = new Date(text)
  if (Number.isNaN(at.getTime()))
    throw new Failure(`${option} ${text} is not a time; write one such as 2026-01-05T10:00:00Z.`)
  return at.toISOString()
}

function buildAuditFilter({ operation, subject, outcome, since, until }: AuditLogOptions): AuditFilter {
  const match = outcomes.find((one) => one === outcome)
  if (outcome !== undefined && !match)
    throw new Failure(`There is no outcome ${outcome}; use ${outcomes.join(', ')}.`)
  return {
    ...(operation !== undefined && { operation }),
    ...(subject !== undefined && { subject }),
    ...(match && { outcome: match }),
    ...(since !== undefined && { since: parseTime(since, '--since') }),
    ...(until !== undefined && { until: parseTime(until, '--until') }),
  }
}

const pageSize = 500

async function* readAuditEntries(filter: AuditFilter): AsyncGenerator<AuditEntry> {
  for (let cursor: string | undefined; ;) {
    const query = { ...filter, limit: pageSize, ...(cursor !== undefined && { cursor }) }
    const { items, next } = await connectEvaluation().listAudit({ query })
    yield* items
    if (next === undefined) return
    cursor = next
  }
}

async function write(file: string, filter: AuditFilter, terminal: CommandTerminal): Promise<number> {
  const tell = createTally('audit', 'entries', terminal)
  let count = 0
  async function* lines() {
    for await (const entry of readAuditEntries(filter)) {
      if (++count % pageSize === 0) tell(count)
      yield `${JSON.stringify(entry)}\n`
    }
  }
  await writePieces(file, lines())
  return count
}

export const audit = defineCommand<AuditLogOptions>({
  name: 'audit',
  describe: 'Show who changed what, when, from where, and with which outcome',
  example:
    'npx stateeval audit --outcome refused --since 2026-01-05T00:00:00Z\nnpx stateeval audit --operation deleteBenchmark\nnpx stateeval audit --out audit.jsonl',
  configure: (command) =>
    command
      .option('--operation <id>', 'only this operation, such as createEvaluation')
      .option('--subject <who>', 'only this caller, such as key:…')
      .option('--outcome <how>', 'only this outcome: done, refused or failed')
      .option('--since <moment>', 'only from this time on')
      .option('--until <moment>', 'only before this time')
      .option('--out <file>', 'write all entries to this file, as JSON lines'),
  run: async ({ options, terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const filter = buildAuditFilter(options)
      if (options.out !== undefined) {
        const count = await write(options.out, filter, terminal)
        terminal.result({ file: options.out, entries: count }, () => `${count} entries in ${options.out}`)
        return 0
      }
      const all: AuditEntry[] = []
      for await (const entry of readAuditEntries(filter)) all.push(entry)
      terminal.result(all, () =>
        all.length === 0
          ? 'Nothing was changed.'
          : formatTable(
              ['when (UTC)', 'who', 'from', 'operation', 'of', 'outcome'],
              all.map(({ at, subject, from, operation, params, made, outcome, status, problem }) => [
                formatMinute(at),
                subject,
                from,
                operation,
                made ?? Object.values(params).join(' '),
                outcome === 'done' ? outcome : `${outcome}: ${status} ${problem ?? ''}`,
              ]),
            ),
      )
      return 0
    }),
})
