import { defineCommand } from '../command.ts'
import { homeFolder } from '../local/home.ts'
import { languageLines, languagesIn } from '../local/machine.ts'
import { runtimeAt } from '../local/runtime.ts'
import { type PartStatus, status as inquire } from '../local/status.ts'
import { moment } from '../report/format.ts'
import { table, type Terminal } from '../terminal.ts'

export const status = defineCommand({
  name: 'status',
  describe: 'Show the status of the servers and services on this machine; exits with 1 if any is down',
  example: 'npx stateeval status\nnpx stateeval status --json',
  run: async ({ terminal }) => {
    const parts = await inquire({ home: homeFolder() })
    const fine = parts.length > 0 && parts.every((part) => part.status === 'up')
    const runtime = await runtimeAt(
      parts.find(({ name, status }) => name === 'execution' && status === 'up')?.url,
    )
    terminal.result({ up: fine, parts, ...(runtime && languagesIn(runtime)) }, () => {
      if (parts.length === 0) return 'Nothing is running. Start it with `npx stateeval up`.'
      return (
        [statusTable(parts, terminal), ...(runtime ? ['', ...languageLines(runtime)] : [])].join('\n') +
        (fine ? '' : '\n\nStart what is down with `npx stateeval up`.')
      )
    })
    return fine ? 0 : 1
  },
})

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
