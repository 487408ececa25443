import { defineCommand, Failure } from '../command.ts'
import { drillRestore } from '../local/drill.ts'
import { getHomeFolder } from '../local/home.ts'
import { readBackupPassphrase, openInstallation, installationFailure } from '../local/installation.ts'
import { formatPlural } from '../report/format.ts'
import { createTally } from '../suite/counter.ts'
import { runRequests } from '../suite/index.ts'
import { createReporter } from '../terminal.ts'

export const restoreInstallation = defineCommand<{ drill?: boolean }>({
  name: 'restore-installation <file>',
  describe: 'Restore a backup of an installation into an empty one, or try whether it could be',
  example:
    'npx stateeval restore-installation installation.age --drill   # into a new installation, which is removed again\nnpx stateeval restore-installation installation.age',
  configure: (command) =>
    command.option(
      '--drill',
      'restore into a separate installation, compare the result of every evaluation of every project with the running one, and remove it',
    ),
  run: async ({ options, args, terminal, signal }) => {
    const file = args[0]!
    const passphrase = readBackupPassphrase()
    const tell = createTally('restore', 'lines', terminal)
    if (options.drill) {
      const report = createReporter(terminal)
      const outcome = await runRequests(() => drillRestore({ file, passphrase, report, tell, signal }))
      const { lines, projects, equal, different, deleted } = outcome
      terminal.result({ drill: true, ...outcome }, () =>
        [
          different.length === 0
            ? `${lines} lines were restored, and the results of ${formatPlural(equal, 'evaluation')} in ${formatPlural(projects, 'project')} are equal.`
            : `The results of these evaluations differ: ${different.join(', ')}.`,
          ...(deleted.length === 0
            ? []
            : [`Not compared, because they were deleted since the backup: ${deleted.join(', ')}.`]),
          'The drill was removed again.',
        ].join(' '),
      )
      return different.length === 0 ? 0 : 1
    }
    const { NotEmptyError, restoreInstallation: restore } =
      await import('@stateeval/local-servers/installation')
    const address = openInstallation(getHomeFolder())
    const { lines } = await restore(address, file, { passphrase, withoutWork: false, tell }).catch(
      async (error: unknown) => {
        if (error instanceof NotEmptyError)
          throw new Failure(
            `${error.message}. Restore into an installation that stores nothing: set STATEEVAL_HOME or STATEEVAL_NAMESPACE to a new one.`,
          )
        throw await installationFailure(error)
      },
    )
    terminal.result(
      { drill: false, lines },
      () => `${lines} lines were restored into ${address.namespace}. Restart its services: npx stateeval up`,
    )
    return 0
  },
})
