/**
 * Creates a MongoDB user for each service; running it again sets roles and passwords anew. As an
 * administrator, with the passwords in the environment (EVALUATION_PASSWORD and so on; BACKUP_PASSWORD if
 * the installation is backed up; STATEEVAL_NAMESPACE where it is not stateeval):
 *
 *   mongosh mongodb://HOST/admin --username admin deploy/mongodb/users.js
 *   SESSIONS=1 mongosh mongodb://SESSIONS_HOST/admin --username admin deploy/mongodb/users.js
 *
 * Each may read and write the documents of its installation, and reaches no other database, no user and no
 * setting of the server. Only evaluation may drop collections and ask how large they are: it deletes what it
 * no longer needs, and projects. Worlds of programs make databases and drop collections all the time, whose
 * names nobody knows before: they belong on a server of their own, the second command’s, where their user may
 * do that in every database. The user of backups reads the documents of the installation, and writes only
 * entries of the audit log.
 */
const { env } = process
const database = env.STATEEVAL_NAMESPACE || 'stateeval'
const services = ['trace-generation', 'translation', 'execution', 'scoring', 'evaluation']
const documents = ['find', 'insert', 'update', 'remove', 'createCollection', 'createIndex']
const admin = db.getSiblingDB('admin')

function passwordOf(name) {
  const variable = `${name.toUpperCase().replaceAll('-', '_')}_PASSWORD`
  if (!env[variable]) throw new Error(`${variable} is not set: set the password of ${name}`)
  return env[variable]
}

function setUser(name, roles) {
  const user = `${database}-${name}`
  const settings = { pwd: passwordOf(name), roles }
  if (admin.getUser(user)) admin.updateUser(user, settings)
  else admin.createUser({ user, ...settings })
  print(`user ${user}: ${roles.map((role) => role.role ?? role).join(', ')}`)
}

function setRole(name, privileges) {
  const role = `${database}-${name}`
  if (admin.getRole(role)) admin.updateRole(role, { privileges, roles: [] })
  else admin.createRole({ role, privileges, roles: [] })
  return { role, db: 'admin' }
}

const privilege = (db, collection, actions) => ({ resource: { db, collection }, actions })

if (env.SESSIONS)
  setUser('sessions', [
    setRole('sessions', [privilege('', '', [...documents, 'dropCollection', 'listCollections'])]),
  ])
else {
  for (const service of services) {
    const more = service === 'evaluation' ? ['dropCollection', 'collStats'] : []
    setUser(service, [
      setRole(service, [privilege(database, '', [...documents, ...more, 'listCollections'])]),
    ])
  }
  if (env.BACKUP_PASSWORD)
    setUser('backup', [
      setRole('backup', [
        privilege(database, '', ['find', 'listCollections']),
        privilege(database, 'audit', ['insert', 'createCollection']),
      ]),
    ])
}
