/** One database whose collections, indexes and documents come and go, and the database with them. */
import type { MongoClient } from 'mongodb'
import { MongoServerError } from 'mongodb'
import { type Churn, churn, type Command, pick } from './churn.ts'

/** Sorted by name; null where there is none. */
type Collections = Readonly<Record<string, Stored | null>>
interface Stored {
  ids: string[]
  indexes: string[]
}
type Change = Command<Collections, MongoClient>

const names = ['a', 'b', 'c'] as const
const none: Collections = { a: null, b: null, c: null }
const emptyCollection: Stored = { ids: [], indexes: ['_id_'] }
const unique = 'k_1'

export function churnDatabase(database: string): Churn<MongoClient> {
  let last = 0
  const newId = () => `${database}-${String(last++).padStart(6, '0')}`

  const draw = (state: Collections): Change => {
    const name = pick(names)
    const current = state[name] ?? null
    const to = (next: Stored | null): Collections => ({ ...state, [name]: next })
    /** Commands make the collection that they lack first. */
    const after = (next: Stored) => (current ? [to(next)] : [to(emptyCollection), to(next)])
    const insert = (count: number): Change => {
      const ids = Array.from({ length: count }, newId)
      return {
        name: current ? 'insert' : 'insert into a new collection',
        states: after({
          ...(current ?? emptyCollection),
          ids: [...(current ?? emptyCollection).ids, ...ids],
        }),
        send: (client) => collection(client, name).insertMany(ids.map((_id) => ({ _id, k: _id }))),
      }
    }
    const index = (): Change => ({
      name: 'create an index',
      states: after({ ...(current ?? emptyCollection), indexes: ['_id_', unique] }),
      send: (client) => collection(client, name).createIndex({ k: 1 }, { unique: true }),
    })
    const others: Change[] = [
      { name: 'drop the database', states: [none], send: (client) => client.db(database).dropDatabase() },
    ]
    if (!current)
      others.push({
        name: 'create a collection',
        states: [to(emptyCollection)],
        send: (client) => client.db(database).createCollection(name),
      })
    else {
      others.push({
        name: 'drop a collection',
        states: [to(null)],
        send: (client) => collection(client, name).drop(),
      })
      if (current.indexes.includes(unique))
        others.push({
          name: 'drop an index',
          states: [to({ ...current, indexes: ['_id_'] })],
          send: (client) => collection(client, name).dropIndex(unique),
        })
    }
    return pick([insert(1), insert(3), index(), pick(others)])
  }

  const collection = (client: MongoClient, name: string) =>
    client.db(database).collection<{ _id: string; k: string }>(name)

  const read = async (client: MongoClient): Promise<Collections> => {
    const collections: Record<string, Stored | null> = { ...none }
    for (const { name } of await client.db(database).listCollections({}, { nameOnly: true }).toArray()) {
      const ids = (await collection(client, name).find().toArray()).map(({ _id }) => _id)
      const indexes = (await collection(client, name).indexes()).map((index) => index.name as string)
      collections[name] = { ids: ids.sort(), indexes: indexes.sort() }
    }
    return collections
  }

  /** Indexes are not only listed. */
  const probe = async (client: MongoClient, state: Collections) => {
    for (const [name, current] of Object.entries(state)) {
      const [id] = current?.ids ?? []
      if (!current || !id) continue
      await refused(
        () => collection(client, name).insertOne({ _id: id, k: 'another' }),
        `${database}.${name} took the _id ${id} twice`,
      )
      if (current.indexes.includes(unique))
        await refused(
          () => collection(client, name).insertOne({ _id: 'another', k: id }),
          `${database}.${name} took the key ${id} twice`,
        )
    }
  }
  return churn({ empty: none, draw, read, probe })
}

async function refused(insert: () => Promise<unknown>, otherwise: string): Promise<void> {
  try {
    await insert()
  } catch (error) {
    if (error instanceof MongoServerError && error.code === 11_000) return
    throw error
  }
  throw new Error(otherwise)
}
