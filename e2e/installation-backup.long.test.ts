/** An installation is backed up by one command and restored into others, with equal documents and results. */
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { subjects } from '@stateeval/contracts'
import { runInProject } from '@stateeval/service-kit'
import { isLong, type CommandLine, startCommandLine, stateeval } from '@stateeval/testkit'
import { Encrypter } from 'age-encryption'
import { BSON, MongoClient } from 'mongodb'

/** A drill starts all servers and services twice. */
if (!isLong) console.info('skipped: a drill of a backup: scripts/test --long does it')

let line: CommandLine
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its receiver
const { setPassphrase } = Encrypter.prototype
/** A default run derives keys from passphrases in milliseconds instead of a second for each file. */
function deriveFast(this: Encrypter, passphrase: string) {
  this.setScryptWorkFactor(10)
  setPassphrase.call(this, passphrase)
}
beforeAll(async () => {
  if (!isLong) Encrypter.prototype.setPassphrase = deriveFast
  line = await startCommandLine()
  Object.assign(process.env, {
    MONGODB_URI: line.suite.servers.mongoUri,
    NATS_URL: line.suite.servers.natsUrl,
    STATEEVAL_NAMESPACE: line.suite.env['STATEEVAL_NAMESPACE'],
    STATEEVAL_BACKUP_PASSPHRASE: 'twenty characters at least',
  })
})
afterAll(async () => {
  Encrypter.prototype.setPassphrase = setPassphrase
  for (const name of ['MONGODB_URI', 'NATS_URL', 'STATEEVAL_NAMESPACE', 'STATEEVAL_BACKUP_PASSPHRASE'])
    delete process.env[name]
  await line?.stop()
})

/** What a namespace keeps, by collection: without marks of processes. */
async function documentsOf(namespace: string): Promise<Record<string, string[]>> {
  const client = new MongoClient(line.suite.servers.mongoUri)
  try {
    const db = client.db(namespace)
    const all = await db.listCollections({}, { nameOnly: true }).toArray()
    const kept = all.map(({ name }) => name).filter((name) => !/probes$|claims$|rates$/.test(name))
    const entries = await Promise.all(
      kept.sort().map(async (name) => {
        const documents = await db.collection(name).find().sort({ _id: 1 }).toArray()
        return [
          name,
          documents.map((document) => BSON.EJSON.stringify(document, { relaxed: false })),
        ] as const
      }),
    )
    return Object.fromEntries(entries.filter(([, documents]) => documents.length > 0))
  } finally {
    await client.close()
  }
}

const sample = join(import.meta.dirname, '../benchmarks/stateeval/sample')

async function evaluateSample(): Promise<string> {
  const evaluated = await stateeval('evaluate', '--benchmark', sample, '--model', 'reference', '--json')
  expect(evaluated).toMatchObject({ code: 0, value: { result: { overall: { passed: 4 } } } })
  return (evaluated.value as { run: { evaluation: string } }).run.evaluation
}

/** Runs commands with a key of a project. */
async function withKeyOf<T>(project: string, work: () => Promise<T>): Promise<T> {
  const asked = ['keys', 'create', '--name', 'team', '--project', project, '--json']
  process.env['STATEEVAL_API_KEY'] = ((await stateeval(...asked)).value as { key: string }).key
  try {
    return await work()
  } finally {
    delete process.env['STATEEVAL_API_KEY']
  }
}

/** Lets an evaluation name another artifact as its result. */
async function changeResult(id: string, change: (result: string) => Promise<string>): Promise<void> {
  const client = new MongoClient(line.suite.servers.mongoUri)
  try {
    const db = client.db(line.suite.env['STATEEVAL_NAMESPACE'])
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
      const stored = db.collection<{ _id: string; text: string }>(name)
      const found = name.endsWith('evaluations') && (await stored.findOne({ _id: id }))
      if (!found) continue
      const owner = JSON.parse(found.text) as { ended: { result: string } }
      owner.ended.result = await change(owner.ended.result)
      await stored.updateOne({ _id: id }, { $set: { text: JSON.stringify(owner) } })
    }
  } finally {
    await client.close()
  }
}

test('everything is in one encrypted file, which another installation restores', async () => {
  const { suite, scratch } = line
  const evaluation = await evaluateSample()
  expect((await stateeval('keys', 'create', '--name', 'ci', '--scope', 'read', '--json')).code).toBe(0)
  expect((await stateeval('projects', 'create', 'speech-team')).code).toBe(0)
  const theirs = await withKeyOf('speech-team', evaluateSample)
  const { platform } = suite.services['scoring']!
  const letter = { id: 'a-job', payload: { inline: null } }
  await platform.bus.publishDead(subjects.score, letter, { error: 'it failed', attempts: 3 })

  const before = await documentsOf(suite.env['STATEEVAL_NAMESPACE']!)
  const file = join(scratch, 'installation.age')
  const { value } = await stateeval('backup-installation', '--out', file, '--json')
  expect(value).toMatchObject({ file, removed: [] })
  // Usage and the like change meanwhile.
  const after = await documentsOf(suite.env['STATEEVAL_NAMESPACE']!)
  const unchanged = Object.fromEntries(
    Object.entries(before).flatMap(([name, documents]) => {
      const kept = documents.filter((one) => after[name]?.includes(one))
      return kept.length === 0 ? [] : [[name, expect.arrayContaining(kept)]]
    }),
  )
  // A folder keeps the last ones; nothing is overwritten.
  for (const day of ['01', '02'])
    await copyFile(file, join(scratch, `stateeval-2026-01-${day}T00-00-00Z.age`))
  const last = (await stateeval('backup-installation', '--out', scratch, '--keep', '1', '--json')).value
  expect((last as { removed: string[] }).removed).toContain('stateeval-2026-01-02T00-00-00Z.age')
  expect((await stateeval('backup-installation', '--out', file)).err).toMatch(/EEXIST/)
  // A run that fails leaves nothing that a later one would keep instead of a backup; one that was killed
  // leaves what the next removes.
  const newest = await readdir(scratch)
  process.env['MONGODB_URI'] = 'mongodb://127.0.0.1:1'
  const failed = await stateeval('backup-installation', '--out', scratch, '--keep', '1')
  process.env['MONGODB_URI'] = suite.servers.mongoUri
  expect(failed).toMatchObject({ code: 2, err: expect.stringMatching(/MongoDB cannot be used.*MONGODB_URI/) })
  expect(await readdir(scratch)).toEqual(newest)
  await writeFile(join(scratch, 'stateeval-2026-01-03T00-00-00Z.age.partial'), 'age')
  expect((await stateeval('backup-installation', '--out', scratch, '--keep', '1')).code).toBe(0)
  expect((await readdir(scratch)).filter((name) => name.startsWith('stateeval-'))).toHaveLength(1)
  const audit = (await stateeval('audit', '--operation', 'backUpInstallation', '--json')).value as object[]
  expect(audit.length).toBe(3)

  const bytes = await readFile(file)
  expect(bytes.toString('latin1')).toMatch(/^age-encryption\.org/)
  expect((await stateeval('restore-installation', file)).err).toMatch(/is not empty. Restore into/)

  process.env['STATEEVAL_NAMESPACE'] = 'restored'
  const changed = Buffer.from(bytes)
  changed[changed.length - 40]! ^= 1
  for (const wrong of [changed, bytes.subarray(0, -100)]) {
    await writeFile(join(scratch, 'wrong.age'), wrong)
    process.env['STATEEVAL_NAMESPACE'] = `wrong${wrong.length}`
    expect((await stateeval('restore-installation', join(scratch, 'wrong.age'))).err).toMatch(/was changed/)
  }
  process.env['STATEEVAL_NAMESPACE'] = 'restored'
  process.env['STATEEVAL_BACKUP_PASSPHRASE'] = 'another one of this length'
  expect((await stateeval('restore-installation', file)).err).toMatch(/not of this passphrase/)
  process.env['STATEEVAL_BACKUP_PASSPHRASE'] = 'twenty characters at least'
  expect((await stateeval('restore-installation', file, '--json')).value).toEqual({
    drill: false,
    lines: (value as { lines: number }).lines,
  })
  expect(await documentsOf('restored')).toMatchObject(unchanged)

  if (!isLong) return
  process.env['STATEEVAL_NAMESPACE'] = suite.env['STATEEVAL_NAMESPACE']
  const runDrill = async () => {
    const { value, code, err } = await stateeval('restore-installation', file, '--drill', '--json')
    return [code, code < 2 ? value : err]
  }
  const equal = { drill: true, projects: 2, equal: 2, different: [], deleted: [] }
  expect(await runDrill()).toEqual([0, expect.objectContaining(equal)])
  const keys = (await stateeval('keys', '--project', 'speech-team', '--json')).value as { status: string }[]
  expect(keys.map(({ status }) => status).sort()).toEqual(['active', 'revoked'])

  // Another result in the running installation, and one less.
  const { artifacts } = suite.services['evaluation']!.platform
  await changeResult(theirs, (result) =>
    runInProject('speech-team', async () =>
      artifacts.putJson({ ...((await artifacts.getJson(result)) as object), version: 'changed' }),
    ),
  )
  expect((await stateeval('delete', evaluation, '--yes')).code).toBe(0)
  const unequal = { projects: 2, equal: 0, different: [theirs], deleted: [evaluation] }
  expect(await runDrill()).toEqual([1, expect.objectContaining(unequal)])
  await changeResult(theirs, (result) => Promise.resolve(result.replace(/^./, 'z')))
  expect(await runDrill()).toEqual([1, expect.objectContaining(unequal)])
})
