import { defineCommand, Failure } from '../command.ts'
import { ensureDashboard } from '../local/dashboard.ts'
import { getHomeFolder } from '../local/home.ts'
import { formatLanguageLines, selectLanguages } from '../local/machine.ts'
import { fetchRuntime } from '../local/runtime.ts'
import { readStatus } from '../local/status.ts'
import { startSuite as start } from '../local/up.ts'
import { formatStatus } from './status.ts'
import { createReporter } from '../terminal.ts'

export const up = defineCommand<{ timeout: string }>({
  name: 'up',
  describe: 'Start the servers and services on this machine, or restart those that have ended',
  example: 'npx stateeval up\nMONGODB_URI=mongodb://db.example NATS_URL=nats://bus.example npx stateeval up',
  configure: (command) =>
    command.option('--timeout <seconds>', 'seconds until all parts must be ready', '120'),
  run: async ({ options, terminal, signal }) => {
    const timeoutMs = Number(options.timeout) * 1000
    if (!(timeoutMs > 0))
      throw new Failure(`--timeout takes a number of seconds above 0, not '${options.timeout}'.`)
    const home = getHomeFolder()
    const report = createReporter(terminal)
    const [state] = await Promise.all([start({ home, report, timeoutMs, signal }), ensureDashboard(report)])
    const parts = await readStatus({ home })
    const evaluation = parts.find(({ name }) => name === 'evaluation')
    const runtime = await fetchRuntime(parts.find(({ name }) => name === 'execution')?.url)
    terminal.result(
      { namespace: state.namespace, home, parts, ...(runtime && selectLanguages(runtime)) },
      () =>
        [
          formatStatus(parts, terminal),
          ...(runtime ? ['', ...formatLanguageLines(runtime)] : []),
          '',
          `dashboard: ${evaluation?.url}   API and docs: ${evaluation?.url}/docs   logs: ${home}/logs   namespace: ${state.namespace}`,
          "Check them with 'npx stateeval status'; stop them with 'npx stateeval down'.",
        ].join('\n'),
    )
    return 0
  },
})
