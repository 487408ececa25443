/** Laws of collecting artifacts, on a real server: what something names stays, everything else goes. */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { sha256 } from '@stateeval/contracts'
import { isLong, namespace, type Servers, startServers } from '@stateeval/testkit'
import fc from 'fast-check'
import {
  artifactCollections,
  type ProjectArtifacts,
  openArtifacts,
  collectArtifacts,
  runInProject,
  type MongoStore,
  openMongo,
  pauseUnlessAborted,
  runSealed,
} from '../src/index.ts'

let servers: Servers
let mongo: MongoStore
let hours = 0
const now = () => new Date(Date.UTC(2026, 0, 1) + hours * 3_600_000)
let artifacts: ProjectArtifacts
beforeAll(async () => {
  servers = await startServers()
  mongo = openMongo({ uri: servers.mongoUri, namespace: namespace(), service: 'evaluation' })
  artifacts = openArtifacts(mongo, { now })
})
afterAll(async () => {
  await mongo?.close()
  await servers?.stop()
})

const collect = () => collectArtifacts({ mongo, artifacts, now }, { usedSince: now() })
const storedHashes = async () => {
  const hashes = new Set<string>()
  for (const name of artifactCollections)
    for await (const { _id } of mongo.shared(name).find({}, { projection: { _id: 1 } }))
      hashes.add(_id.split(':')[0]!)
  return [...hashes].sort()
}

/** Each content may name the one before it: some artifacts are kept by others alone. */
const contents = Array.from({ length: 6 }, (_, n) => `content ${n}`).reduce<string[]>(
  (all, text, n) => [...all, n % 2 === 1 ? `{"text":"${text}","part":"${sha256(all[n - 1]!)}"}` : text],
  [],
)
const hashes = contents.map((text) => sha256(text))
/** What a document that names this one keeps. */
const keptBy = (n: number) => (n % 2 === 1 ? [hashes[n]!, hashes[n - 1]!] : [hashes[n]!])

type Step = { make: string; names: number[]; sealed: boolean } | { drop: string } | 'collect'
const anyId = fc.constantFrom('a', 'b', 'c')
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ make: anyId, names: fc.array(fc.nat({ max: 5 }), { maxLength: 3 }), sealed: fc.boolean() }),
  fc.record({ drop: anyId }),
  fc.constant<Step>('collect'),
)

test('whatever is made and deleted in whatever order, exactly what something names is left', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 10 }), async (steps) =>
      runInProject(`law-${run++}`, async () => {
        const documents = mongo.collection<{ text: string }>('things')
        const named = new Map<string, number[]>()
        const check = async () => {
          hours += 2
          await collect()
          const kept = new Set([...named.values()].flat().flatMap(keptBy))
          expect(await storedHashes()).toEqual([...kept].sort())
        }
        for (const step of steps)
          if (step === 'collect') await check()
          else if ('drop' in step) {
            await documents.deleteOne({ _id: step.drop })
            named.delete(step.drop)
          } else {
            for (const n of step.names.flatMap((one) => (one % 2 === 1 ? [one - 1, one] : [one])))
              await runSealed(step.sealed, () => artifacts.put(Buffer.from(contents[n]!)))
            const text = JSON.stringify(step.names.map((n) => `artifacts/${hashes[n]}`))
            await documents.replaceOne({ _id: step.make }, { text }, { upsert: true })
            named.set(step.make, step.names)
          }
        await check()
        named.clear()
        await documents.deleteMany({})
        await check()
      }),
    ),
    { numRuns: isLong ? 100 : 12 },
  )
})

test('what is stored again while it is collected is there for whoever names it then', async () => {
  await runInProject('raced', async () => {
    const documents = mongo.collection<{ text: string }>('things')
    // Larger than a chunk, also when it is packed.
    const bytes = Buffer.from(Array.from({ length: 38_000 }, (_, n) => sha256(`${n}`)).join(''), 'hex')
    const other = openArtifacts(mongo, { now })
    let again = 0
    const rounds = isLong ? 60 : 10
    // On a busy machine the collector may be late in each of them: then those who store wait longer.
    for (let round = 0; round < rounds || (again === 0 && round < 20 * rounds); round++) {
      const patience = 1 + Math.floor(round / rounds)
      hours += 2
      const use = async (by: ProjectArtifacts, name: string, wait: number) => {
        await pauseUnlessAborted(wait)
        const hash = await by.put(bytes)
        await documents.insertOne({ _id: `${round}/${name}`, text: hash })
        return hash
      }
      const uses = [
        use(artifacts, 'one', patience * ((round * 53) % 400)),
        use(other, 'other', patience * ((round * 97) % 400)),
      ]
      const [first, second] = await Promise.all([collect(), collect()])
      again += first.removed + second.removed
      const [hash] = await Promise.all(uses)
      expect((await artifacts.get(hash!))?.length).toBe(bytes.length)
      await documents.deleteMany({})
    }
    expect(again).toBeGreaterThan(0)
  })
})

test('what was used lately is spared, and goes when its time has come; projects don’t see each other', async () => {
  const bytes = Buffer.from('of both')
  const hash = sha256(bytes)
  const put = () => artifacts.put(bytes)
  await Promise.all([runInProject('one', put), runInProject('other', put)])
  await runInProject('other', () =>
    mongo.collection<{ text: string }>('things').insertOne({ _id: 'a', text: hash }),
  )
  const hourAgo = () => ({ usedSince: new Date(now().getTime() - 3_600_000) })
  const run = () => collectArtifacts({ mongo, artifacts, now }, hourAgo())
  expect(await runInProject('one', run)).toEqual({ removed: 0, spared: 1 })
  hours += 3
  expect(await runInProject('one', run)).toEqual({ removed: 1, spared: 0 })
  expect(await runInProject('one', () => artifacts.get(hash))).toBeNull()
  expect(await runInProject('other', run)).toEqual({ removed: 0, spared: 0 })
  expect(await runInProject('other', () => artifacts.get(hash))).not.toBeNull()
})

test('a collector that died keeps nobody from using an artifact for long', async () => {
  await runInProject('died', async () => {
    const hash = sha256('left')
    const marks = mongo.shared<{ gone: Date }>('artifact-uses')
    const turn = String(Math.floor(now().getTime() / 600_000)).padStart(9, '0')
    await marks.insertOne({ _id: `${turn}/${hash}`, gone: new Date(now().getTime() - 120_000) })
    expect(await artifacts.put(Buffer.from('left'))).toBe(hash)
    expect(await collect()).toEqual({ removed: 0, spared: 1 })
  })
})

test('what is used while a long collection reads is kept, with what it names', () =>
  runInProject('long', async () => {
    const inner = await artifacts.put(Buffer.from('inner'))
    const outer = await artifacts.put(Buffer.from(`{"part":"${inner}"}`))
    const unused = await artifacts.put(Buffer.from('unused'))
    hours += 3
    // Each process remembers its own marks.
    const other = openArtifacts(mongo, { now })
    async function* texts() {
      yield 'a dead letter'
      await other.put(Buffer.from(`{"part":"${inner}"}`))
      hours += 0.5
    }
    const { removed } = await collectArtifacts(
      { mongo, artifacts, now },
      { usedSince: now(), texts: texts() },
    )
    expect(removed).toBe(1)
    expect(await storedHashes()).toEqual([inner, outer].sort())
    expect(await artifacts.get(unused)).toBeNull()
  }))

test('an old answer goes, unless somebody begins to use it while a collection reads', () =>
  runInProject('answers', async () => {
    const answers = mongo.shared<{ at: Date; text: string }>('answers')
    const [reused, again, unused] = ['reused', 'again', 'unused'].map((text) => sha256(text)) as [
      string,
      string,
      string,
    ]
    for (const _id of [reused, `${again}~ev_1`, unused])
      await answers.insertOne({ _id, at: now(), text: '{}' })
    hours += 48
    const usedSince = now()
    // Each process remembers its own marks.
    const other = openArtifacts(mongo, { now })
    async function* texts() {
      yield 'a dead letter'
      await other.keep([reused, again])
      hours += 0.5
    }
    const options = { usedSince, answersBefore: now() }
    await collectArtifacts({ mongo, artifacts, now }, { ...options, texts: texts() })
    const left = await answers.find({}, { projection: { _id: 1 } }).toArray()
    expect(left.map(({ _id }) => _id).sort()).toEqual([reused, `${again}~ev_1`].sort())
    hours += 3
    await collectArtifacts({ mongo, artifacts, now }, { usedSince: now(), answersBefore: now() })
    expect(await answers.find({}).toArray()).toEqual([])
  }))
