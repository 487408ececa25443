import type { Project } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { moment } from '../report/format.ts'
import { evaluation, talk } from '../suite/index.ts'
import { everyPage } from '../suite/pages.ts'
import { table } from '../terminal.ts'

interface Options {
  name?: string
  yes?: boolean
}

export const projects = defineCommand<Options>({
  name: 'projects [action] [id]',
  describe: 'Projects, whose resources only their own callers see: list, create ID, delete ID',
  example: [
    'npx stateeval projects',
    'npx stateeval projects create speech-team --name "Speech team"',
    'npx stateeval keys create --project speech-team --scope admin --name speech-admin',
    'npx stateeval backup speech-team --out backup',
    'npx stateeval projects delete speech-team --yes',
  ].join('\n'),
  configure: (command) =>
    command
      .option('--name <text>', 'create: as people call it (default: the id)')
      .option('--yes', 'delete: with all that is its own, for ever'),
  run: async ({ options: { name, yes }, args: [action = 'list', id], terminal }) =>
    talk(async (): Promise<ExitCode> => {
      if (action === 'create' && id !== undefined) {
        const project = await evaluation().createProject({
          body: { id, ...(name !== undefined && { name }) },
        })
        terminal.result(
          project,
          () =>
            `Made ${id}. Its first key: npx stateeval keys create --project ${id} --scope admin --name ${id}-admin`,
        )
      } else if (action === 'delete' && id !== undefined) {
        if (!yes)
          throw new Failure(
            `This deletes ${id} for ever, with its benchmarks, evaluations, artifacts and keys. Back it up (npx stateeval backup ${id} --out FOLDER), then repeat with --yes.`,
          )
        await evaluation().deleteProject({ params: { id } })
        terminal.result({ id, status: 'deleted' }, () => `${id} is closed; what it had is being removed.`)
      } else if (action === 'list') {
        const all = await everyPage<Project>((query) => evaluation().listProjects({ query }))
        terminal.result(all, () =>
          table(
            ['id', 'name', 'created (UTC)'],
            all.map(({ id, name, createdAt }) => [id, name, moment(createdAt)]),
          ),
        )
      } else
        throw new Failure(
          action === 'create'
            ? 'Which id? Name it: lower-case letters, digits and hyphens.'
            : action === 'delete'
              ? 'Which project? Name its id; npx stateeval projects lists them.'
              : `Unknown action ${action}. Use list, create or delete.`,
        )
      return 0
    }),
})
