/** What deploy/mongodb/users.js asks of MongoDB, recorded: no real server with users is among the tests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { serviceNames } from '@stateeval/contracts'

const script = readFileSync(join(import.meta.dirname, '../deploy/mongodb/users.js'), 'utf8')
interface Privilege {
  resource: { db: string; collection: string }
  actions: string[]
}
interface Role {
  role: string
  privileges: Privilege[]
}
interface User {
  user: string
  pwd: string
  roles: { role: string; db: string }[]
}

function run(env: Record<string, string>, existing = false) {
  const changes = { users: [] as User[], roles: [] as Role[], updated: [] as string[] }
  const admin = {
    getUser: () => (existing ? {} : null),
    getRole: () => (existing ? {} : null),
    createUser: (user: User) => changes.users.push(user),
    createRole: (role: Role) => changes.roles.push(role),
    updateUser: (user: string) => changes.updated.push(user),
    updateRole: (role: string) => changes.updated.push(role),
  }
  runInNewContext(script, { process: { env }, db: { getSiblingDB: () => admin }, print: () => undefined })
  return changes
}
const passwords = Object.fromEntries(
  [...serviceNames, 'sessions'].map((name) => [
    `${name.toUpperCase().replaceAll('-', '_')}_PASSWORD`,
    `of ${name}`,
  ]),
)

test('each service has a user and a role that reaches the documents of its installation and nothing else', () => {
  const { users, roles } = run({ ...passwords, STATEEVAL_NAMESPACE: 'mine' })
  expect(users.map(({ user }) => user).sort()).toEqual(serviceNames.map((name) => `mine-${name}`).sort())
  for (const { user, pwd, roles: granted } of users) {
    expect(pwd).toBe(`of ${user.slice('mine-'.length)}`)
    expect(granted).toEqual([{ role: user, db: 'admin' }])
  }
  for (const { role, privileges } of roles)
    for (const { resource, actions } of privileges) {
      expect(resource).toEqual({ db: 'mine', collection: '' })
      for (const action of ['dropCollection', 'collStats'])
        expect(actions.includes(action)).toBe(role === 'mine-evaluation')
      expect(actions.filter((action) => /user|role|dropDatabase|any/i.test(action))).toEqual([])
    }
})

test('worlds have a user on their own server; without a password nothing is made; a second run updates', () => {
  const sessions = run({ ...passwords, SESSIONS: '1' })
  const role = 'stateeval-sessions'
  expect(sessions.users).toEqual([{ user: role, pwd: 'of sessions', roles: [{ role, db: 'admin' }] }])
  // Of every database, whose names are drawn; of no user and no setting of the server.
  expect(sessions.roles.map(({ privileges }) => privileges.map(({ resource }) => resource))).toEqual([
    [{ db: '', collection: '' }],
  ])
  expect(() => run({})).toThrow('TRACE_GENERATION_PASSWORD is not set')
  const { users, updated } = run(passwords, true)
  expect([users, updated.length]).toEqual([[], 2 * serviceNames.length])
})

test('backups have a user where it has a password; it reads everything and adds to the audit log', () => {
  const { users, roles } = run({ ...passwords, BACKUP_PASSWORD: 'of backup', STATEEVAL_NAMESPACE: 'mine' })
  const user = { user: 'mine-backup', pwd: 'of backup', roles: [{ role: 'mine-backup', db: 'admin' }] }
  expect(users).toContainEqual(user)
  expect(roles.find(({ role }) => role === user.user)!.privileges).toEqual([
    { resource: { db: 'mine', collection: '' }, actions: ['find', 'listCollections'] },
    { resource: { db: 'mine', collection: 'audit' }, actions: ['insert', 'createCollection'] },
  ])
})
