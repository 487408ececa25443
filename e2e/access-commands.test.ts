/** Keys and projects from the command line, as operators and members of a project type it. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { ApiKey, Project } from '@stateeval/contracts'
import { type CommandLine, startCommandLine, stateeval, until } from '@stateeval/testkit'

const adminKey = 'an-admin-key-that-is-long-enough-for-a-test'
let line: CommandLine
beforeAll(async () => {
  line = await startCommandLine({ only: ['evaluation'], env: { STATEEVAL_ADMIN_KEY: adminKey } })
})
afterEach(() => {
  delete process.env['STATEEVAL_API_KEY']
})
afterAll(() => line?.stop())

/** Runs a command with a key; without one where it is null. */
async function as(key: string | null, ...args: string[]) {
  if (key === null) delete process.env['STATEEVAL_API_KEY']
  else process.env['STATEEVAL_API_KEY'] = key
  return stateeval(...args)
}
async function printed<T>(key: string, ...args: string[]): Promise<T> {
  const { code, err, value } = await as(key, ...args, '--json')
  expect([args, code, err]).toEqual([args, 0, ''])
  return value as T
}
const create = (key: string, ...args: string[]) =>
  printed<ApiKey & { key: string }>(key, 'keys', 'create', ...args)

test('an operator makes a project and its first key; its administrator makes the others', async () => {
  const creation = await as(adminKey, 'projects', 'create', 'speech', '--name', 'Speech team')
  expect(creation).toMatchObject({ code: 0, err: '' })
  expect(creation.out).toContain(
    'npx stateeval keys create --project speech --scope admin --name speech-admin',
  )
  const { key: admin } = await create(
    adminKey,
    ...['--project', 'speech', '--scope', 'admin', '--name', 'speech-admin'],
  )

  const printout = await as(admin, 'keys', 'create', '--name', 'nightly', '--expires', '90d')
  expect(printout.out).toMatch(
    /^stateeval_[0-9a-z]{16}_[\w-]{43}\n\nScope run in project speech, until \d{4}-/,
  )
  expect(printout.out).toContain('Keep it now: it is not shown again.')
  const nightly = printout.out.split('\n')[0]!
  expect(await printed(nightly, 'keys', 'whoami')).toEqual({
    subject: `key:${nightly.split('_')[1]}`,
    project: 'speech',
    scopes: ['run'],
    operator: false,
  })
  expect((await as(admin, 'keys', 'whoami')).out).toMatch(/project +speech/)

  const listed = await as(admin, 'keys')
  expect(listed.code).toBe(0)
  const [head, ...rows] = listed.out.trim().split('\n')
  expect(head).toMatch(/^id +name +project +scopes +status +expires \(UTC\) +last used \(UTC\) *$/)
  expect(rows.filter((row) => row.includes('speech'))).toHaveLength(2)
  expect(rows.find((row) => row.includes('nightly'))).toMatch(/run +active +\d{4}-\d\d-\d\d/)
  // Noted beside the request that used it.
  await until(async () =>
    (await printed<ApiKey[]>(admin, 'keys')).some((key) => key.name === 'nightly' && key.lastUsedAt),
  )
  // The secret itself may have an underscore, too.
  for (const secret of [nightly, admin]) expect(listed.out).not.toContain(secret.replace(/^[^_]*_[^_]*_/, ''))
  // Of another project operators alone.
  const ofSpeech = await printed<ApiKey[]>(adminKey, 'keys', '--project', 'speech')
  expect(ofSpeech.map(({ name }) => name).sort()).toEqual(['nightly', 'speech-admin'])
  expect(await printed<Project[]>(admin, 'projects')).toMatchObject([{ id: 'speech', name: 'Speech team' }])
  expect((await as(adminKey, 'projects')).out).toMatch(/speech +Speech team/)
})

test('a key does what its scope allows, until it is revoked', async () => {
  await printed(adminKey, 'projects', 'create', 'scopes')
  const { key: admin } = await create(adminKey, '--project', 'scopes', '--scope', 'admin', '--name', 'a')
  const { key: reader, id } = await create(admin, '--scope', 'read', '--name', 'reader')
  expect(await printed(reader, 'list', 'models')).toBeDefined()
  const refused = await as(reader, 'keys')
  expect(refused.code).toBe(2)
  expect(refused.err).toMatch(/admin/)
  const other = await as(admin, 'keys', 'create', '--project', 'default', '--scope', 'admin', '--name', 'x')
  expect(other).toMatchObject({ code: 2, out: '' })
  expect(other.err).toMatch(/only operators.*\(--project\)|only operators/)

  const revoked = await as(admin, 'keys', 'revoke', id)
  expect(revoked).toMatchObject({ code: 0, out: `${id} is revoked.\n` })
  await until(async () => (await as(reader, 'list', 'models')).code === 2)
  const { err } = await as(reader, 'list', 'models')
  expect(err).toContain('npx stateeval keys create')
  expect(err).not.toContain(reader)
  const keys = await printed<ApiKey[]>(admin, 'keys')
  expect(keys.find((key) => key.id === id)).toMatchObject({ status: 'revoked' })
})

test('limits of a project are set by operators, and shown with what was used and how long things are kept', async () => {
  await printed(adminKey, 'projects', 'create', 'limited')
  const { key } = await create(adminKey, '--project', 'limited', '--scope', 'admin', '--name', 'a')
  const set = await as(adminKey, 'projects', 'limits', 'limited', 'evaluations=2', 'usd=1.5', 'builds=none')
  expect(set).toMatchObject({ code: 0, err: '' })
  expect(set.out).toMatch(/evaluations +2 +project/)
  expect(set.out).toMatch(/periodDays +calendar month/)
  expect(await printed(adminKey, 'projects', 'limits', 'limited', 'usd=default')).toEqual({
    project: 'limited',
    own: { evaluations: 2, builds: null },
    effective: { evaluations: 2, builds: null },
  })
  expect((await as(key, 'projects', 'limits', 'limited', 'usd=9')).err).toMatch(/only operators set limits/)
  const usage = await as(key, 'projects', 'usage', 'limited')
  expect(usage.out).toMatch(/^limited, from \d{4}-\d\d-01 until before \d{4}-\d\d-01 \(UTC\)\n/)
  expect(usage.out).toMatch(/evaluations running +0 +2/)
  const past = await printed<{ from: string; used: { requests: number } }>(
    key,
    ...['projects', 'usage', 'limited', '--on', '2020-02-29'],
  )
  expect(past).toMatchObject({ from: '2020-02-01', used: { requests: 0 } })
  expect((await as(key, 'projects', 'retention', 'limited', '90')).out).toMatch(/for 90 days/)
  expect((await as(key, 'projects', 'retention', 'limited', 'default')).out).toMatch(/keeps everything/)
})

test('without a key nothing is answered, and the remedy is a command', async () => {
  const { code, err } = await as(null, 'keys')
  expect(code).toBe(2)
  expect(err).toMatch(/npx stateeval keys create/)
})

test('a deleted project is closed at once', async () => {
  await printed(adminKey, 'projects', 'create', 'gone')
  const { key } = await create(adminKey, '--project', 'gone', '--scope', 'admin', '--name', 'a')
  const refusal = await as(adminKey, 'projects', 'delete', 'gone')
  expect(refusal).toMatchObject({ code: 2, out: '' })
  expect(refusal.err).toMatch(/permanently deletes.*npx stateeval backup gone --out FOLDER.*--yes/)
  expect((await as(key, 'keys', 'whoami')).code).toBe(0)
  // Not by its own administrator.
  expect((await as(key, 'projects', 'delete', 'gone', '--yes')).err).toMatch(/only operators/)
  expect(await as(adminKey, 'projects', 'delete', 'gone', '--yes')).toMatchObject({ code: 0, err: '' })
  await until(async () => (await as(key, 'keys', 'whoami')).code === 2)
  expect((await printed<Project[]>(adminKey, 'projects')).map(({ id }) => id)).not.toContain('gone')
  expect((await as(adminKey, 'projects', 'create', 'gone')).err).toMatch(/the id gone is, or was, in use/)
})

test.each([
  [['keys', 'create'], /--name nightly-ci/],
  [['keys', 'create', '--name', 'x', '--scope', 'root'], /Unknown scope root. Use read, run, admin/],
  [['keys', 'create', '--name', 'x', '--expires', 'soon'], /Cannot read --expires soon. Use days \(90d\)/],
  [['keys', 'create', '--name', 'x', '--expires', '2001-01-01'], /must be in the future/],
  [['keys', 'create', '--name', 'x', '--project', 'nobody'], /npx stateeval projects create/],
  [['keys', 'revoke'], /Which key\? Name its id/],
  [['keys', 'revoke', 'mkf4j2q10a7c1f2b'], /there is no key mkf4j2q10a7c1f2b.*npx stateeval keys/],
  [['keys', 'lose'], /Unknown action lose. Use list, create, revoke or whoami/],
  [['projects', 'create'], /Which id\?/],
  [['projects', 'create', 'No Such Id'], /id/],
  [['projects', 'create', 'default'], /the id default is, or was, in use/],
  [['projects', 'delete'], /Which project\?/],
  [['projects', 'delete', 'nobody', '--yes'], /there is no project nobody.*npx stateeval projects/],
  [['projects', 'delete', 'default', '--yes'], /the default project cannot be deleted/],
  [['projects', 'lose'], /Unknown action lose. Use list, create, delete, limits, usage, retention/],
  [['projects', 'limits'], /Which project\?/],
  [['projects', 'limits', 'default', 'speed=1'], /Unknown limit speed=1. Use .*requestsPerSecond/],
  [['projects', 'limits', 'default', 'usd=much'], /Cannot read usd=much. Use a number, none or default/],
  [['projects', 'limits', 'default', 'builds=1.5'], /builds/],
  [['projects', 'usage', 'nobody'], /there is no project nobody.*npx stateeval projects/],
  [['projects', 'retention', 'default', '0'], /days/],
  [['delete', 'exe_1', '--yes'], /exe_1 is not an evaluation, a benchmark or a world model/],
  [['delete', 'ev_missing'], /permanently. To confirm, repeat the command with --yes/],
  [
    ['delete', 'ev_missing', '--yes'],
    /there is no evaluation "ev_missing"; `npx stateeval list evaluations`/,
  ],
])('stateeval %j says what to do', async (args, says) => {
  const { code, out, err } = await as(adminKey, ...args)
  expect([code, out]).toEqual([2, ''])
  expect(err).toMatch(says)
  expect(err).not.toContain('/v1/')
})

test.each(['keys', 'projects'])(
  'stateeval %s --help shows options and examples that work',
  async (command) => {
    const { code, out } = await stateeval(command, '--help')
    expect(code).toBe(0)
    const examples = [...out.matchAll(/^ +npx stateeval (.+)$/gm)].map(([, text]) => text!)
    expect(examples.length).toBeGreaterThanOrEqual(3)
    // Options that the examples of this command use are documented by it.
    for (const example of examples.filter((text) => text.startsWith(command)))
      for (const [option] of example.matchAll(/--[a-z]+/g))
        expect(out).toMatch(new RegExp(`^ +${option}\\b`, 'm'))
  },
)
