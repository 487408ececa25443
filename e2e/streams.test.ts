/**
 * The law of streams on real servers: the same task from the same seed, options and index, in any order,
 * after removal and in another installation; and every reference passes. Runs with STATEEVAL_LONG=1.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  type EpisodeResource,
  type EpisodeTurn,
  type StreamReference,
  type StreamRequest,
  type StreamResource,
  type StreamTask,
} from '@stateeval/contracts'
import type { RunningService } from '@stateeval/service-kit'
import { startSuite, type Suite, until } from '@stateeval/testkit'
import { formatSetName } from '@stateeval/environment'
import { send } from './episodes/agent.ts'

const isLong = process.env['STATEEVAL_LONG'] !== undefined
if (!isLong) console.info('skipped: streams in two installations, after removal: scripts/test --long does it')
const long = isLong ? test : test.skip
const only = ['evaluation', 'trace-generation', 'translation', 'execution', 'scoring'] as const
let suite: Suite
let second: Suite
let [one, two] = ['', '']

beforeAll(async () => {
  if (!isLong) return
  suite = await startSuite({ only })
  // Another installation, with another store.
  second = await startSuite({ only })
  one = suite.urls['evaluation']!
  two = second.urls['evaluation']!
})
afterAll(async () => {
  await second?.stop()
  await suite?.stop()
})

async function created(base: string, request: StreamRequest): Promise<StreamResource> {
  const { status, body } = await send<StreamResource>(base, 'POST', '/v1/streams', request)
  expect([status, status === 201 || body]).toEqual([201, true])
  return body
}
/** A loaded machine may take longer for a block than a request waits. */
const patiently = <T>(base: string, method: string, path: string, body?: object) =>
  until(
    async () => {
      const answer = await send<T>(base, method, path, body)
      return answer.status === 503 ? null : answer
    },
    { withinMs: 600_000 },
  )
async function taskOf(base: string, id: string, index: number): Promise<StreamTask> {
  const { status, body } = await patiently<StreamTask>(base, 'GET', `/v1/streams/${id}/tasks/${index}`)
  expect([status, status === 200 || body]).toEqual([200, true])
  return body
}

const scenarios = ['session-service', 'elevenlabs-mcp', 'tensor-operation', 'all']
long.each(scenarios)(
  '%s has the same tasks in two installations, in any order, and after removal',
  async (scenario) => {
    const request: StreamRequest = {
      options: { scenario, length: { min: 3, max: 4 }, branches: 0.5 },
      seed: 'law',
    }
    const [here, there] = [await created(one, request), await created(two, request)]
    const indices = [70, 3, 127, 64, 0, 63]
    const first: StreamTask[] = []
    for (const index of indices) first.push(await taskOf(one, here.id, index))
    const others: StreamTask[] = []
    for (const index of indices.toReversed()) others.unshift(await taskOf(two, there.id, index))
    const plain = (tasks: StreamTask[]) => tasks.map(({ stream: _, ...task }) => task)
    expect(plain(others)).toEqual(plain(first))
    expect(new Set(first.map(({ digest }) => digest)).size).toBe(indices.length)

    // A block that was removed, as one that nobody used is, is made again; so is a deleted stream.
    const { platform } = suite.services['evaluation'] as RunningService
    const { mongo } = platform
    const set = formatSetName(here.id, 1)
    const digests = mongo.collection<{ text: string }>('stream-digests')
    const before = await digests.findOne({ _id: set })
    await send(one, 'DELETE', `/v1/streams/${here.id}`)
    const again = await created(one, request)
    const later = await taskOf(one, again.id, 70)
    expect(plain([later])).toEqual(plain([first[0]!]))
    expect((await digests.findOne({ _id: formatSetName(again.id, 1) }))?.text).toBe(before?.text)

    // The reference of every sixteenth task passes.
    for (let index = 64; index < 128; index += 16) {
      const { answer } = (
        await send<StreamReference>(one, 'GET', `/v1/streams/${again.id}/tasks/${index}/reference`)
      ).body
      const { body: episode } = await patiently<EpisodeResource>(one, 'POST', '/v1/episodes', {
        stream: again.id,
        index,
      })
      const { body: turn } = await send<EpisodeTurn>(one, 'POST', `/v1/episodes/${episode.id}/steps`, {
        step: 1,
        reply: { text: answer! },
      })
      expect([index, turn]).toEqual([index, expect.objectContaining({ done: true, reward: 1 })])
    }
  },
)
