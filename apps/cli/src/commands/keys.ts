import { type ApiKey, type Scope, scopes } from '@stateeval/contracts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { formatMinute } from '../report/format.ts'
import { connectEvaluation, runRequests } from '../suite/index.ts'
import { readEveryPage } from '../suite/pages.ts'
import { formatTable, type CommandTerminal } from '../terminal.ts'

interface KeyOptions {
  name?: string
  scope?: string
  project?: string
  expires?: string
}

const dayMs = 86_400_000

function parseScope(text = 'run'): Scope {
  const scope = scopes.find((one) => one === text)
  if (scope) return scope
  throw new Failure(`Unknown scope ${text}. Use ${scopes.join(', ')}; each includes those before it.`)
}

/** `90d`, or a date. */
function parseExpiry(text: string, now: Date): string {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? []
  const date = days === undefined ? new Date(text) : new Date(now.getTime() + Number(days) * dayMs)
  if (Number.isNaN(date.getTime()))
    throw new Failure(`Cannot read --expires ${text}. Use days (90d) or a date (2026-12-31).`)
  return date.toISOString()
}

async function create(
  { name, scope, project, expires }: KeyOptions,
  terminal: CommandTerminal,
): Promise<void> {
  if (name === undefined)
    throw new Failure('The key has no name. Name its purpose with --name, such as --name nightly-ci.')
  const created = await connectEvaluation().createKey({
    body: {
      name,
      scopes: [parseScope(scope)],
      ...(project !== undefined && { project }),
      ...(expires !== undefined && { expiresAt: parseExpiry(expires, new Date()) }),
    },
  })
  terminal.result(created, () =>
    [
      created.key,
      '',
      `Scope ${created.scopes.join(', ')} in project ${created.project}${created.expiresAt ? `, until ${formatMinute(created.expiresAt)} UTC` : ''}.`,
      'Keep it now: it is not shown again. Commands take it from STATEEVAL_API_KEY, requests from Authorization: Bearer.',
    ].join('\n'),
  )
}

async function list({ project }: KeyOptions, terminal: CommandTerminal): Promise<void> {
  const keys = await readEveryPage<ApiKey>((query) =>
    connectEvaluation().listKeys({ query: { ...query, ...(project !== undefined && { project }) } }),
  )
  terminal.result(keys, () =>
    keys.length === 0
      ? 'There are no keys.'
      : formatTable(
          ['id', 'name', 'project', 'scopes', 'status', 'expires (UTC)', 'last used (UTC)'],
          keys.map(({ id, name, project, scopes, status, expiresAt, lastUsedAt }) => [
            id,
            name,
            project,
            scopes.join(' '),
            status,
            expiresAt ? formatMinute(expiresAt) : 'never',
            lastUsedAt ? formatMinute(lastUsedAt) : 'never',
          ]),
        ),
  )
}

export const keys = defineCommand<KeyOptions>({
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
    runRequests(async (): Promise<ExitCode> => {
      if (action === 'create') await create(options, terminal)
      else if (action === 'list') await list(options, terminal)
      else if (action === 'revoke' && id !== undefined) {
        await connectEvaluation().revokeKey({ params: { id } })
        terminal.result({ id, status: 'revoked' }, () => `${id} is revoked.`)
      } else if (action === 'whoami') {
        const caller = await connectEvaluation().getCaller()
        terminal.result(caller, () =>
          formatTable(
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
