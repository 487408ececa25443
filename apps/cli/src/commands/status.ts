import type { StalledJob } from '@stateeval/contracts'
import { defineCommand } from '../command.ts'
import { egress, egressRows } from '../local/egress.ts'
import { withDotEnv } from '../local/environment.ts'
import { checkout, homeFolder } from '../local/home.ts'
import { languageLines, languagesIn } from '../local/machine.ts'
import { runtimeAt, stalledAt } from '../local/runtime.ts'
import { type PartStatus, status as inquire } from '../local/status.ts'
import { moment } from '../report/format.ts'
import { inCommands } from '../suite/in-commands.ts'
import { duration } from '../suite/pace.ts'
import { table, type Terminal } from '../terminal.ts'

export const status = defineCommand<{ egress?: boolean }>({
  name: 'status',
  describe: 'Show the status of the servers and services on this machine; exits with 1 if any is down',
  example: 'npx stateeval status\nnpx stateeval status --json\nnpx stateeval status --egress',
  configure: (command) =>
    command.option('--egress', 'print every connection that a part makes to another machine instead'),
  run: async ({ options, terminal }) => {
    const parts = await inquire({ home: homeFolder() })
    const fine = parts.length > 0 && parts.every((part) => part.status === 'up')
    if (options.egress) {
      const rows = egressRows(withDotEnv(checkout, process.env))
      terminal.result({ up: fine, parts, egress }, () => table(['from', 'to', 'settings', 'when'], rows))
      return 0
    }
    const runtime = await runtimeAt(
      parts.find(({ name, status }) => name === 'execution' && status === 'up')?.url,
    )
    const stalled = await stalledAt(
      parts.find(({ name, status }) => name === 'evaluation' && status === 'up')?.url,
    )
    terminal.result(
      { up: fine, parts, ...(stalled.length > 0 && { stalled }), ...(runtime && languagesIn(runtime)) },
      () => {
        if (parts.length === 0) return 'Nothing is running. Start it with `npx stateeval up`.'
        return (
          [
            statusTable(parts, terminal),
            ...(runtime ? ['', ...languageLines(runtime)] : []),
            ...(stalled.length > 0 ? ['', ...stalled.map(stalledLine)] : []),
          ].join('\n') + (fine ? '' : '\n\nStart what is down with `npx stateeval up`.')
        )
      },
    )
    return fine ? 0 : 1
  },
})

const stalledLine = ({ id, seconds, reason }: StalledJob) =>
  `${id} waits (no item ended for ${duration(seconds * 1000)}): ${inCommands(reason)}`

/** The table that `up` and `status` print. */
export function statusTable(parts: PartStatus[], { colors }: Terminal): string {
  const colored = { up: colors.green, 'not ready': colors.yellow, down: colors.red }
  const rows = parts.map(({ name, status, pid, url, version, since, detail }) => [
    name,
    colored[status](status) + (detail ? ` (${detail.slice(0, 60)})` : ''),
    url,
    pid,
    version,
    since && moment(since),
  ])
  return table(['part', 'status', 'where', 'pid', 'version', 'since (UTC)'], rows)
}
