import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { defineCommand, Failure } from '../command.ts'
import { getHomeFolder } from '../local/home.ts'
import { readBackupPassphrase, openInstallation, installationFailure } from '../local/installation.ts'
import { getUserName } from '../local/user.ts'
import { createTally } from '../suite/counter.ts'
import { parseInteger } from '../suite/options.ts'
import { explainUnwritable } from '../suite/output.ts'

/** Names backups in a folder, whose names sort by time. */
const formatBackupName = (at: Date) => `stateeval-${at.toISOString().replaceAll(':', '-')}.age`
const backupName = /^stateeval-[\dTZ.-]+\.age$/

export const backupInstallation = defineCommand<{ out: string; keep?: number }>({
  name: 'backup-installation',
  describe: 'Write everything that an installation stores, of all projects, to one encrypted file',
  example:
    'STATEEVAL_BACKUP_PASSPHRASE=… npx stateeval backup-installation --out installation.age\nnpx stateeval backup-installation --out /backups --keep 14   # on a schedule: a new file in a folder, the last 14 stay',
  configure: (command) =>
    command
      .requiredOption('--out <path>', 'a new file, or a folder for a file that is named by the time')
      .option(
        '--keep <count>',
        'with a folder: remove older backups beyond so many',
        parseInteger(1, 10_000),
      ),
  run: async ({ options: { out, keep }, terminal }) => {
    const passphrase = readBackupPassphrase()
    const address = openInstallation(getHomeFolder())
    const isFolder = await stat(out).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (keep !== undefined && !isFolder) throw new Failure(`--keep belongs to a folder, which ${out} is not.`)
    const file = isFolder ? join(out, formatBackupName(new Date())) : out
    const { writeInstallationBackup: backUpInstallation, partialEnd } =
      await import('@stateeval/local-servers/installation')
    const tell = createTally('backup', 'lines', terminal)
    const { lines } = await backUpInstallation(address, file, {
      passphrase,
      by: `user:${getUserName()}`,
      tell,
    }).catch(async (error: unknown) => {
      throw explainUnwritable(file, await installationFailure(error))
    })
    const names = keep === undefined ? [] : (await readdir(out)).sort()
    const backups = names.filter((name) => backupName.test(name))
    const older = backups.slice(0, -(keep ?? 0))
    // Killed runs leave these: a schedule runs one at a time.
    const cutShort = names.filter(
      (name) => name.endsWith(partialEnd) && backupName.test(name.slice(0, -partialEnd.length)),
    )
    for (const name of [...older, ...cutShort]) await rm(join(out, name))
    terminal.result(
      { file, lines, removed: older },
      () =>
        `${lines} lines are in ${file}. Try the backup with: npx stateeval restore-installation ${file} --drill`,
    )
    return 0
  },
})
