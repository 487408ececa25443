import type { Project } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { formatMinute } from '../report/format.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { readEveryPage } from '../suite/pages.ts'
import { formatTable, type CommandTerminal } from '../terminal.ts'
import { showLimits, showRetention, showUsage } from './project-limits.ts'

interface ProjectOptions {
  name?: string
  on?: string
  yes?: boolean
}

async function create(id: string, { name }: ProjectOptions, terminal: CommandTerminal): Promise<void> {
  const project = await connectEvaluation().createProject({
    body: { id, ...(name !== undefined && { name }) },
  })
  terminal.result(
    project,
    () =>
      `Made ${id}. Its first key: npx stateeval keys create --project ${id} --scope admin --name ${id}-admin`,
  )
}

async function list(terminal: CommandTerminal): Promise<void> {
  const all = await readEveryPage<Project>((query) => connectEvaluation().listProjects({ query }))
  terminal.result(all, () =>
    formatTable(
      ['id', 'name', 'created (UTC)'],
      all.map(({ id, name, createdAt }) => [id, name, formatMinute(createdAt)]),
    ),
  )
}

async function remove(id: string, { yes }: ProjectOptions, terminal: CommandTerminal): Promise<void> {
  if (!yes)
    throw new Failure(
      `This permanently deletes ${id}, with its benchmarks, evaluations, artifacts and keys. Back it up (npx stateeval backup ${id} --out FOLDER), then repeat with --yes.`,
    )
  await connectEvaluation().deleteProject({ params: { id } })
  terminal.result({ id, status: 'deleted' }, () => `${id} is closed, and its data is being removed.`)
}

/** Actions on one project, by the action's name. */
const actions: Readonly<
  Record<
    string,
    (id: string, rest: readonly string[], options: ProjectOptions, terminal: CommandTerminal) => Promise<void>
  >
> = {
  create: (id, _, options, terminal) => create(id, options, terminal),
  delete: (id, _, options, terminal) => remove(id, options, terminal),
  limits: (id, changes, _, terminal) => showLimits(id, changes, terminal),
  usage: (id, _, { on }, terminal) => showUsage(id, on, terminal),
  retention: (id, [days], _, terminal) => showRetention(id, days, terminal),
}

export const projects = defineCommand<ProjectOptions>({
  name: 'projects [action] [id] [values...]',
  describe:
    'Manage projects, whose resources only their own callers see: list, create ID, delete ID, limits ID [NAME=VALUE…], usage ID, retention ID [DAYS]',
  example: [
    'npx stateeval projects',
    'npx stateeval projects create speech-team --name "Speech team"',
    'npx stateeval keys create --project speech-team --scope admin --name speech-admin',
    'npx stateeval projects limits speech-team requestsPerSecond=50 usd=200 cpuSeconds=none',
    'npx stateeval projects usage speech-team',
    'npx stateeval projects retention speech-team 90',
    'npx stateeval backup speech-team --out backup',
    'npx stateeval projects delete speech-team --yes',
  ].join('\n'),
  configure: (command) =>
    command
      .option('--name <text>', 'create: a display name (default: the id)')
      .option('--yes', 'delete: confirm that all data of the project is deleted permanently')
      .option('--on <date>', 'usage: a day of the period, such as 2026-01-31 (default: today)'),
  run: async ({ options, args: [action = 'list', id, ...rest], terminal }) =>
    runRequests(async (): Promise<ExitCode> => {
      const act = Object.hasOwn(actions, action) ? actions[action] : undefined
      if (action === 'list') await list(terminal)
      else if (!act)
        throw new Failure(`Unknown action ${action}. Use list, ${Object.keys(actions).join(', ')}.`)
      else if (id === undefined)
        throw new Failure(
          action === 'create'
            ? 'Which id? Name it: lower-case letters, digits and hyphens.'
            : 'Which project? Name its id; npx stateeval projects lists them.',
        )
      else await act(id, rest.flat(), options, terminal)
      return 0
    }),
})
