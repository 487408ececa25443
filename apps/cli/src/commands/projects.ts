import type { Project } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { moment } from '../report/format.ts'
import { evaluation, talk } from '../suite/index.ts'
import { everyPage } from '../suite/pages.ts'
import { table } from '../terminal.ts'

interface Options {
  name?: string
}

export const projects = defineCommand<Options>({
  name: 'projects [action] [id]',
  describe: 'Projects, whose resources only their own callers see: list, create ID',
  example: [
    'npx stateeval projects',
    'npx stateeval projects create speech-team --name "Speech team"',
    'npx stateeval keys create --project speech-team --scope admin --name speech-admin',
  ].join('\n'),
  configure: (command) => command.option('--name <text>', 'create: as people call it (default: the id)'),
  run: async ({ options: { name }, args: [action = 'list', id], terminal }) =>
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
            : `Unknown action ${action}. Use list or create.`,
        )
      return 0
    }),
})
