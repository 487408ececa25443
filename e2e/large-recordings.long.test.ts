/** A large recording is imported in bounded memory, and every answer of it is stored. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Recording, sha256 } from '@stateeval/contracts'
import { MongoClient } from 'mongodb'
import {
  isLong,
  namespace,
  type ServiceProcess,
  type Servers,
  startProcess,
  startServers,
} from '@stateeval/testkit'

/** Of the body. The limit of an import is 256 MiB. */
const mebibytes = isLong ? 250 : 48
/** What an import may take besides twice its size, in MiB. */
const besides = 256

let servers: Servers
let service: ServiceProcess
const space = namespace()

beforeAll(async () => {
  servers = await startServers()
  service = await startProcess('evaluation', {
    ...{ ...servers.env, STATEEVAL_NAMESPACE: space, LOG_LEVEL: 'error' },
  })
})
afterAll(async () => {
  await service?.kill()
  await servers?.stop()
})

const lineBytes = 200_000
const usage = { requests: 1, promptTokens: 1, completionTokens: 1 }

test(`${mebibytes} MiB`, async () => {
  const heading = {
    recording: 2,
    model: { name: 'm', settings: { baseUrl: 'http://a.test/v1', model: 'm' } },
  }
  const count = Math.floor((mebibytes * 2 ** 20) / lineBytes)
  const pieces = [Buffer.from(`{"text":"${JSON.stringify(`${JSON.stringify(heading)}\n`).slice(1, -1)}`)]
  for (let n = 0; n < count; n++) {
    // It hardly compresses, as the worst recording does not.
    const text = randomBytes(Math.floor((lineBytes * 3) / 4) - 500).toString('base64')
    const line = JSON.stringify({
      key: sha256(String(n)),
      text: `"${text}\n`,
      finish: 'stop',
      usage,
      retries: 0,
    })
    pieces.push(Buffer.from(JSON.stringify(`${line}\n`).slice(1, -1)))
  }
  pieces.push(Buffer.from('"}'))
  const before = service.peakMiB()
  const answer = await fetch(`${service.url}/v1/recordings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(pieces),
  })
  const { id, ...recording } = (await answer.json()) as Recording
  expect([answer.status, recording]).toMatchObject([201, { model: 'm', answers: count }])
  const took = service.peakMiB() - before
  if (isLong) console.log(`an import of ${mebibytes} MiB took ${Math.round(took)} MiB`)
  expect(took).toBeLessThan(2 * mebibytes + besides)
  const client = new MongoClient(servers.mongoUri)
  try {
    const names = { _id: { $gte: `${id}/`, $lt: `${id}0` } }
    const answers = client.db(space).collection<{ _id: string }>('answers')
    expect(await answers.countDocuments(names)).toBe(count)
  } finally {
    await client.close()
  }
})
