import { defineCommand } from '../command.ts'
import { stopSuite as end } from '../local/down.ts'
import { getHomeFolder } from '../local/home.ts'
import { createReporter } from '../terminal.ts'

export const down = defineCommand<{ purge?: boolean }>({
  name: 'down',
  describe: 'Stop the servers and services on this machine; keep the data',
  example: 'npx stateeval down\nnpx stateeval down --purge',
  configure: (command) =>
    command.option('--purge', 'also remove the data: databases, streams, logs (benchmark folders stay)'),
  run: async ({ options, terminal }) => {
    const report = createReporter(terminal)
    const home = getHomeFolder()
    const purge = options.purge === true
    const endings = await end({ home, purge, report })
    terminal.result({ ended: endings, purged: purge }, () => {
      const lines = endings.map(({ name, how }) => `${name}: ${how}`)
      if (lines.length === 0) lines.push('Nothing was running.')
      lines.push(
        purge
          ? 'The data was removed.'
          : "The data is kept. Start again with 'npx stateeval up'; remove it with 'npx stateeval down --purge'.",
      )
      return lines.join('\n')
    })
    return 0
  },
})
