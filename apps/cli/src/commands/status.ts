import type { StalledJob } from '@stateeval/contracts'
import { defineCommand } from '../command.ts'
import { egress, listEgress } from '../local/egress.ts'
import { withDotEnv } from '../local/environment.ts'
import { checkout, getHomeFolder } from '../local/home.ts'
import { formatLanguageLines, selectLanguages } from '../local/machine.ts'
import { fetchRuntime, fetchStalled } from '../local/runtime.ts'
import { type PartStatus, readStatus as inquire } from '../local/status.ts'
import { formatMinute } from '../report/format.ts'
import { replaceRequests } from '../suite/in-commands.ts'
import { formatDuration } from '../suite/pace.ts'
import { formatTable, type CommandTerminal } from '../terminal.ts'

export const status = defineCommand<{ egress?: boolean }>({
  name: 'status',
  describe: 'Show the status of the servers and services on this machine; exits with 1 if any is down',
  example: 'npx stateeval status\nnpx stateeval status --json\nnpx stateeval status --egress',
  configure: (command) =>
    command.option('--egress', 'print every connection that a part makes to another machine instead'),
  run: async ({ options, terminal }) => {
    const parts = await inquire({ home: getHomeFolder() })
    const fine = parts.length > 0 && parts.every((part) => part.status === 'up')
    if (options.egress) {
      const rows = listEgress(withDotEnv(checkout, process.env))
      terminal.result({ up: fine, parts, egress }, () =>
        formatTable(['from', 'to', 'settings', 'when'], rows),
      )
      return 0
    }
    const runtime = await fetchRuntime(
      parts.find(({ name, status }) => name === 'execution' && status === 'up')?.url,
    )
    const stalled = await fetchStalled(
      parts.find(({ name, status }) => name === 'evaluation' && status === 'up')?.url,
    )
    terminal.result(
      { up: fine, parts, ...(stalled.length > 0 && { stalled }), ...(runtime && selectLanguages(runtime)) },
      () => {
        if (parts.length === 0) return 'Nothing is running. Start it with `npx stateeval up`.'
        return (
          [
            formatStatus(parts, terminal),
            ...(runtime ? ['', ...formatLanguageLines(runtime)] : []),
            ...(stalled.length > 0 ? ['', ...stalled.map(formatStalled)] : []),
          ].join('\n') + (fine ? '' : '\n\nStart what is down with `npx stateeval up`.')
        )
      },
    )
    return fine ? 0 : 1
  },
})

const formatStalled = ({ id, seconds, reason }: StalledJob) =>
  `${id} waits (no item ended for ${formatDuration(seconds * 1000)}): ${replaceRequests(reason)}`

/** The table that `up` and `status` print. */
export function formatStatus(parts: PartStatus[], { colors }: CommandTerminal): string {
  const colored = { up: colors.green, 'not ready': colors.yellow, down: colors.red }
  const rows = parts.map(({ name, status, pid, url, version, since, detail }) => [
    name,
    colored[status](status) + (detail ? ` (${detail.slice(0, 60)})` : ''),
    url,
    pid,
    version,
    since && formatMinute(since),
  ])
  return formatTable(['part', 'status', 'where', 'pid', 'version', 'since (UTC)'], rows)
}
