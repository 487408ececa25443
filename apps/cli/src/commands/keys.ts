import { type ApiKey, type Scope, scopes } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { moment } from '../report/format.ts'
import { evaluation, talk } from '../suite/index.ts'
import { everyPage } from '../suite/pages.ts'
import { table, type Terminal } from '../terminal.ts'

interface Options {
  name?: string
  scope?: string
  project?: string
  expires?: string
}

const dayMs = 86_400_000

function scopeIn(text = 'run'): Scope {
  const scope = scopes.find((one) => one === text)
  if (scope) return scope
  throw new Failure(`Unknown scope ${text}. Use ${scopes.join(', ')}; each includes those before it.`)
}

/** `90d`, or a date. */
function expiryIn(text: string, now: Date): string {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? []
  const date = days === undefined ? new Date(text) : new Date(now.getTime() + Number(days) * dayMs)
  if (Number.isNaN(date.getTime()))
    throw new Failure(`Cannot read --expires ${text}. Use days (90d) or a date (2026-12-31).`)
  return date.toISOString()
}

async function create({ name, scope, project, expires }: Options, terminal: Terminal): Promise<void> {
  if (name === undefined)
    throw new Failure('The key has no name. Name its purpose with --name, such as --name nightly-ci.')
  const created = await evaluation().createKey({
    body: {
      name,
      scopes: [scopeIn(scope)],
      ...(project !== undefined && { project }),
      ...(expires !== undefined && { expiresAt: expiryIn(expires, new Date()) }),
    },
  })
  terminal.result(created, () =>
    [
      created.key,
      '',
      `Scope ${created.scopes.join(', ')} in project ${created.project}${created.expiresAt ? `, until ${moment(created.expiresAt)} UTC` : ''}.`,
      'Keep it now: it is not shown again. Commands take it from STATEEVAL_API_KEY, requests from Authorization: Bearer.',
    ].join('\n'),
  )
}

async function list({ project }: Options, terminal: Terminal): Promise<void> {
  const keys = await everyPage<ApiKey>((query) =>
    evaluation().listKeys({ query: { ...query, ...(project !== undefined && { project }) } }),
  )
  terminal.result(keys, () =>
    keys.length === 0
      ? 'There are no keys.'
      : table(
          ['id', 'name', 'project', 'scopes', 'status', 'expires (UTC)', 'last used (UTC)'],
          keys.map(({ id, name, project, scopes, status, expiresAt, lastUsedAt }) => [
            id,
            name,
            project,
            scopes.join(' '),
            status,
            expiresAt ? moment(expiresAt) : 'never',
            lastUsedAt ? moment(lastUsedAt) : 'never',
          ]),
        ),
  )
}

export const keys = defineCommand<Options>({
  name: 'keys [action] [id]',
  describe: 'Manage API keys of the project: list, create, revoke ID, or whoami for the key in use',
  example: [
    'npx stateeval keys create --name nightly-ci --scope run --expires 90d',
    'npx stateeval keys',
    'npx stateeval keys revoke mkf4j2q10a7c1f2b',
    'npx stateeval keys whoami',
  ].join('\n'),
  configure: (command) =>
    command
      .option('--name <text>', 'create: its purpose')
      .option('--scope <scope>', `create: ${scopes.join(', ')} (default: run)`)
      .option('--expires <when>', 'create: days such as 90d, or a date (default: never)')
      .option('--project <id>', 'another project; for operators'),
  run: async ({ options, args: [action = 'list', id], terminal }) =>
    talk(async (): Promise<ExitCode> => {
      if (action === 'create') await create(options, terminal)
      else if (action === 'list') await list(options, terminal)
      else if (action === 'revoke' && id !== undefined) {
        await evaluation().revokeKey({ params: { id } })
        terminal.result({ id, status: 'revoked' }, () => `${id} is revoked.`)
      } else if (action === 'whoami') {
        const caller = await evaluation().getCaller()
        terminal.result(caller, () =>
          table(
            ['what', 'value'],
            Object.entries(caller).map(([name, value]) => [name, String(value)]),
          ),
        )
      } else
        throw new Failure(
          action === 'revoke'
            ? 'Which key? Name its id; npx stateeval keys lists them.'
            : `Unknown action ${action}. Use list, create, revoke or whoami.`,
        )
      return 0
    }),
})
