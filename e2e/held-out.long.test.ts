/**
 * A held-out stream, read through every operation of every contract in each form of its query, by every role,
 * while a block is made and afterwards, with its whole backup: no seed, no reference and nothing that was
 * expected. A training stream of the same seed in another project has the same tasks, so the test knows what
 * must not appear.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  backupCollections,
  type BackupPage,
  type Case,
  evaluationOperations,
  type EpisodeResource,
  type EpisodeTurn,
  sha256,
  type StreamReference,
  type StreamResource,
  type StreamTask,
} from '@stateeval/contracts'
import { formatItemSession } from '@stateeval/flows'
import {
  collectArtifacts,
  listCollectionNames,
  runInProject,
  type RunningService,
} from '@stateeval/service-kit'
import { isLong, pickForRun, startSuite, type Suite, until } from '@stateeval/testkit'
import type { EvaluationContext } from '../services/evaluation/src/context.ts'
import { computeJobMark, planLayout, formatSetName } from '@stateeval/environment'
import { everyOperation, type Operation, pathsOf, queriesOf } from './every-operation.ts'

const whenLong = isLong ? test : test.skip
const adminKey = 'an-admin-key-that-is-long-enough-for-a-test'
const seed = 'a-seed-that-nobody-guesses'
const options = {
  // What the examples of operations make is of session-service, with the same words as its tasks.
  scenario: isLong ? 'tensor-operation' : 'elevenlabs-mcp',
  length: { min: 3, max: 3 },
  branches: 0,
}
let suite: Suite
let stream: StreamResource
/** By role: a key of the stream's project, of another project, and the operator's. */
const keys: Record<string, string> = { operator: adminKey }
const roles = ['read', 'run', 'admin', 'other', 'operator'] as const
/** What these begin goes on: a default run begins it once, where the stream is. */
const changing = pickForRun<readonly string[]>(['run'], roles)
/** Who may see most reads everything; in a default run the others do in turn. */
const readers = (at: number) =>
  pickForRun<readonly string[]>(['admin', 'operator', ['read', 'run', 'other'][at % 3]!], roles)
/** The last task of a block. A default run stays in the first half: the second has the next block made. */
const lastIndex = pickForRun(31, 63)
/** Texts that nobody may see, and where each is from. */
const secrets = new Map<string, string>()
/** Values of places in paths. */
const values: Record<string, readonly string[]> = {}
/** What was told while the block was made. */
const earlyLeaks: string[] = []
/** What the database held in clear text while the block was made, and after episodes had been played. */
const storedLeaks: string[] = []
/** A key of another project, where a stream of the same tasks is held out until a test reveals it. */
let twinKey: string

const context = () => (suite.services['evaluation'] as RunningService<EvaluationContext>).context

async function send(service: string, key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${suite.urls[service]}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return {
    status: response.status,
    text: `${await response.text()} ${JSON.stringify([...response.headers])}`,
    response,
  }
}
/** Blocks wait for what the other tests have begun. */
const behindOthers = { withinMs: 900_000 }
/** A block may take longer than a request waits. */
async function ask<T>(key: string, method: string, path: string, body?: unknown): Promise<T> {
  return until(async () => {
    const response = await fetch(`${suite.urls['evaluation']}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (response.status === 503) return null
    const text = await response.text()
    expect([path, response.status, response.ok || text]).toEqual([path, response.status, true])
    return { value: JSON.parse(text) as T }
  }, behindOthers).then(({ value }) => value)
}

/** The secrets that a text contains. */
const found = (text: string): string[] =>
  [...secrets].flatMap(([secret, where]) => (text.includes(secret) ? [`${secret}: ${where}`] : []))

/** All texts and long numbers inside a value. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}
/** The shortest text that says anything by itself. Names that only count results say nothing. */
const shortest = 10
const counted = /^[a-z]+_\d+$/
/** Notes what of a task a candidate is not told: what its instruction and its public parts don't contain. */
function noteSecrets(task: Case, reference: string, shown: string): void {
  const { oracles, program } = task
  const lines = reference.split('\n').map((line) => line.trim())
  for (const [where, texts] of [
    ['oracle', leavesOf(oracles)],
    ['program', leavesOf(program)],
    ['reference', lines],
  ] as const)
    for (const text of texts)
      if (
        text.length >= shortest &&
        !counted.test(text) &&
        !shown.includes(text) &&
        !shown.includes(JSON.stringify(text).slice(1, -1))
      )
        secrets.set(JSON.stringify(text).slice(1, -1), `${where} of ${task.id}`)
}

/** A stream that is held out in a project. What tells its seed is secret, too. */
async function holdOut(project: string, key: string): Promise<StreamResource> {
  const request = { options, seed, purpose: 'held-out' }
  const made = await ask<StreamResource>(key, 'POST', '/v1/streams', request)
  const { salt, stored } = await runInProject(project, () =>
    context().environment.streams.knownStream(made.id),
  )
  const { scenario, length } = stored.options
  secrets
    .set(seed, 'seed')
    .set(salt, 'salt')
    .set(computeJobMark(seed, salt, 0), 'name of jobs')
  for (const part of planLayout([scenario], { length }, seed, 0))
    secrets.set(String(part.seed), 'seed of a block')
  return made
}

beforeAll(async () => {
  suite = await startSuite({ env: { STATEEVAL_ADMIN_KEY: adminKey, STATEEVAL_WEBHOOK_NETWORKS: 'loopback' } })
  await Promise.all(Object.values(suite.services).map((service) => service.platform.bus.ready()))
  const { access, now } = context().platform
  for (const id of ['exam', 'twin', 'elsewhere'])
    await access.projects.create({ _id: id, name: id, createdAt: now() })
  const keyOf = async (project: string, scope: 'read' | 'run' | 'admin') =>
    (await access.keys.create({ name: scope, project, scopes: [scope], createdAt: now(), createdBy: 'test' }))
      .text
  for (const scope of ['read', 'run', 'admin'] as const) keys[scope] = await keyOf('exam', scope)
  keys['other'] = await keyOf('elsewhere', 'admin')
  const key = await keyOf('twin', 'admin')

  const training = await ask<StreamResource>(key, 'POST', '/v1/streams', { options, seed })
  const tasks = new Map<number, { task: Case; reference: string }>()
  for (const index of [0, 1, 2, lastIndex]) {
    await ask<StreamTask>(key, 'GET', `/v1/streams/${training.id}/tasks/${index}`)
    const { answer } = await ask<StreamReference>(
      key,
      'GET',
      `/v1/streams/${training.id}/tasks/${index}/reference`,
    )
    const task = await runInProject('twin', () =>
      context().storage.sets.case(formatSetName(training.id, 0), index),
    )
    tasks.set(index, { task: task as Case, reference: answer ?? '' })
  }
  // What anybody is told of the scenario is no secret.
  const { text: documentation } = await send(
    'trace-generation',
    adminKey,
    'GET',
    `/v1/scenarios/${options.scenario}/documentation`,
  )
  // So is what a candidate is shown: in tool mode, the values of variables, too.
  const openings: EpisodeResource[] = []
  for (const index of tasks.keys())
    for (const mode of ['program', 'tools']) {
      const request = { stream: training.id, index, mode }
      openings.push(await ask<EpisodeResource>(key, 'POST', '/v1/episodes', request))
    }
  const shown = [
    documentation,
    JSON.stringify(openings.map(({ turn }) => turn?.messages)),
    ...[...tasks.values()].map(({ task }) =>
      JSON.stringify([task.instruction, task.variables, task.id, task.flags]),
    ),
    JSON.stringify(everyOperation),
  ].join('\n')
  for (const { task, reference } of tasks.values()) noteSecrets(task, reference, shown)
  const kinds = new Set([...secrets.values()].map((where) => where.split(' ')[0]))
  expect([...kinds].sort()).toEqual(['oracle', 'program', 'reference'])

  stream = await holdOut('exam', keys['run']!)
  Object.assign(values, {
    'projects/id': ['exam'],
    'backup/collection': backupCollections,
    'streams/id': [stream.id],
    'tasks/index': ['0', String(lastIndex)],
    'benchmarks/id': [formatSetName(stream.id, 0), stream.id],
    'cases/case': [tasks.get(0)!.task.id],
    'reviews/case': [tasks.get(0)!.task.id],
    'files/file': ['cases.jsonl', 'manifest.json'],
    'artifacts/sha256': [sha256('none')],
    'evaluations/id': [stream.id],
    'samples/place': ['0'],
    'comparisons/id': ['cmp_0'],
    'keys/id': ['none'],
    'models/name': ['none'],
    'webhooks/id': ['wh_0'],
    'deliveries/delivery': ['0'.repeat(21)],
    'dead-letters/id': ['0'.repeat(32)],
    'episodes/id': ['ep_0'],
    'sessions/id': ['ses_0'],
    'generations/id': ['gen_0'],
    'translations/id': ['trl_0'],
    'executions/id': ['exe_0'],
    'scenarios/id': [options.scenario],
  })
  // What the other tests queue would delay the blocks, so these come first.
  await readWhileMade()
  await makeTraces()
  await readDatabase()
  await collectLeftovers()
  twinKey = key
})
afterAll(() => suite?.stop())

/** What tells the seed, as it should, or ends what the other operations read. */
const last = /^(revealStream|delete\w+|revokeKey|(redrive|discard)DeadLetters?)$/
const reads = everyOperation.filter(({ method }) => method === 'GET')

/** Bodies that name the stream and what was made of it. */
const naming: Record<string, () => readonly unknown[]> = {
  createEvaluation: () => [{ benchmark: formatSetName(stream.id, 0), model: 'reference' }],
  createEpisode: () => [
    { stream: stream.id, index: 1 },
    { stream: stream.id, index: 1, prompting: 'few-shot' },
    { stream: stream.id, index: 2, mode: 'tools' },
    { benchmark: formatSetName(stream.id, 0), case: values['cases/case']![0] },
  ],
  stepEpisode: () => [{ step: 1, reply: { text: 'Nothing.' } }],
  restoreBackup: () => [{ collection: 'evaluation.streams', documents: ['{"id":"str_0","text":"{}"}'] }],
  // Lifts what the example limits: the other tests send more requests.
  setProjectLimits: () => [{}],
}
const bodiesOf = ({ id, body, example }: Operation): readonly unknown[] =>
  !body ? [undefined] : [example, ...(naming[id]?.() ?? [])]

/** Calls an operation in every way that the test knows, and gives what it told. */
async function told(operation: Operation, role: string): Promise<string[]> {
  const texts: string[] = []
  for (const path of pathsOf(operation, values))
    for (const query of queriesOf(operation))
      for (const body of bodiesOf(operation)) {
        const { service, method, id } = operation
        const { status, text } = await send(service, keys[role]!, method, path + query, body)
        const place = `${id} as ${role} (${path}${query}: ${status})`
        texts.push(...found(text).map((secret) => `${place} tells ${secret}`))
      }
  return texts
}

/** Reads everything for as long as the block is made. Who knows the id of a generation may read it. */
async function readWhileMade(): Promise<void> {
  const made = ask<StreamTask>(keys['run']!, 'GET', `/v1/streams/${stream.id}/tasks/0`)
  let isMade = false
  void made.finally(() => (isMade = true)).catch(() => undefined)
  const { mongo } = context().platform
  do {
    // Documents of jobs are named after them until the block is made.
    await readDatabase(/: (name of jobs|id of a generation)$/)
    for (const operation of reads)
      for (const role of ['admin', 'operator']) {
        await runInProject('exam', async () => {
          for await (const { _id } of mongo.shared('trace-generation.generations').find({}))
            secrets.set(_id, 'id of a generation')
        })
        // Its own task is what is waited for.
        if (!isMade && !operation.path.includes('/tasks/')) earlyLeaks.push(...(await told(operation, role)))
      }
    // Read without a pause, the block takes several times as long.
    if (!isLong) await sleep(500)
  } while (!isMade)
  await made
  expect([...secrets.values()]).toContain('id of a generation')
}

/** A document as text; pieces of artifacts are compressed, and each of a test is one piece. */
function readable(line: string): string {
  const { data } = JSON.parse(line) as { data?: unknown }
  if (typeof data !== 'string') return line
  try {
    return gunzipSync(Buffer.from(data, 'base64')).toString()
  } catch {
    return line
  }
}
/** Artifacts are named by hashes of what they hold, which is encrypted. */
const artifactPattern = /^[0-9a-f]{64}: /
/** Reads all documents of all services. */
async function readDatabase(namePattern = /^$/): Promise<void> {
  const { mongo } = context().platform
  await runInProject('exam', async () => {
    for (const name of await listCollectionNames(mongo))
      for await (const document of mongo.shared(name).find({}))
        for (const secret of found(readable(JSON.stringify(document))).filter(
          (one) => !namePattern.test(one) && !artifactPattern.test(one),
        ))
          storedLeaks.push(`${name} ${document._id} holds ${secret}`)
  })
}

/** Collects what the jobs of the block left. What its tasks name stays, although they are encrypted. */
async function collectLeftovers(): Promise<void> {
  const { mongo, artifacts } = context().platform
  const later = new Date(Date.now() + 2 * 3_600_000)
  const parts = { mongo, artifacts, now: () => later }
  const { removed } = await runInProject('exam', () => collectArtifacts(parts, { usedSince: later }))
  expect(removed).toBeGreaterThan(0)
  for (const index of [5, lastIndex - 1])
    await ask<StreamTask>(keys['read']!, 'GET', `/v1/streams/${stream.id}/tasks/${index}`)
}

test('nothing is told while a block is made', () => expect(earlyLeaks).toEqual([]))

test('its backup holds nothing in clear text', async () => {
  for (const role of ['admin', 'operator'])
    for (const collection of backupCollections)
      for (let cursor: string | undefined; ;) {
        const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`
        const page = await ask<BackupPage>(
          keys[role]!,
          'GET',
          `/v1/projects/exam/backup/${collection}${query}`,
        )
        expect([collection, found(page.items.map(readable).join('\n'))]).toEqual([collection, []])
        if (page.next === undefined) break
        cursor = page.next
      }
})

test('the database holds nothing in clear text', () => expect(storedLeaks).toEqual([]))

test('no page outside the contracts tells anything, to no role', async () => {
  const pages = ['/', '/docs', '/openapi.json', '/metrics', '/health/live', '/health/ready']
  for (const service of Object.keys(suite.urls))
    for (const path of pages)
      for (const role of roles) {
        const { text } = await send(service, keys[role]!, 'GET', path)
        expect([service, path, role, found(text)]).toEqual([service, path, role, []])
      }
})

test.each(
  everyOperation
    .filter(({ id }) => !last.test(id))
    .map((operation, at) => [operation.id, operation, readers(at)] as const),
)('%s tells nothing of a sealed stream, to no role', async (_, operation, reading) => {
  for (const role of operation.method === 'GET' ? reading : changing)
    expect(await told(operation, role)).toEqual([])
})

/** An episode of the first task that ended with a wrong answer. */
async function playedEpisode(key: string, of: string): Promise<string> {
  const { id } = await ask<EpisodeResource>(key, 'POST', '/v1/episodes', { stream: of, index: 0 })
  const reply = { text: '```javascript\nRESULT = {}\n```' }
  const turn = await ask<EpisodeTurn>(key, 'POST', `/v1/episodes/${id}/steps`, { step: 1, reply })
  expect(turn).toMatchObject({ done: true, score: { passed: false, evidence: { differences: [] } } })
  return id
}

/** Episodes that ended and that are open, in both modes, and jobs of both that were given up. */
async function makeTraces(): Promise<void> {
  const key = keys['run']!
  const id = await playedEpisode(key, stream.id)
  const request = { stream: stream.id, index: 2, mode: 'tools' }
  const tools = await ask<EpisodeResource>(key, 'POST', '/v1/episodes', request)
  const session = formatItemSession(tools.id, 0)
  Object.assign(values, { 'episodes/id': [id, tools.id], 'sessions/id': [session] })
  // Its world is the episode's alone.
  const closing = await send('execution', key, 'POST', `/v1/sessions/${session}/close`, {})
  expect([closing.status, closing.text]).toEqual([409, expect.stringContaining(tools.id)])
  const known = await runInProject('exam', () => context().environment.streams.knownStream(stream.id))
  const task = await runInProject('exam', () => context().storage.sets.case(formatSetName(stream.id, 0), 0))
  const dead = [
    { subject: 'jobs.scoring.score', id: `${id}/steps/0000001@1#0123456789ab` },
    {
      subject: 'jobs.execution.execute',
      id: `${formatSetName(stream.id, 0)}/${computeJobMark(seed, known.salt, 0)}/p0/1/0#0123456789ab`,
    },
  ] as const
  await runInProject('exam', async () => {
    for (const { subject, id: job } of dead)
      await context().platform.bus.publishDead(
        subject,
        { id: job, project: 'exam', payload: { inline: { case: JSON.parse(JSON.stringify(task)) } } },
        { error: `cannot score ${JSON.stringify(task)}`, attempts: 5 },
      )
  })
  const letters = await until(async () => {
    const { items } = await ask<{ items: { id: string; job: string }[] }>(key, 'GET', '/v1/dead-letters')
    return items.length === dead.length ? items : null
  })
  expect(letters.map(({ job }) => job)).toEqual([stream.id, stream.id])
  values['dead-letters/id'] = letters.map((letter) => letter.id)
  // A search does not tell it piece by piece either.
  const secret = [...secrets.keys()].find((text) => /^[\w ]+$/.test(text))!
  for (const query of [`error=${encodeURIComponent(secret)}`, `job=${encodeURIComponent(dead[1].id)}`]) {
    const { items } = await ask<{ items: object[] }>(key, 'GET', `/v1/dead-letters?${query}`)
    expect(items).toEqual([])
  }
}

whenLong('once it is revealed, all of it is there', async () => {
  const key = twinKey
  const { id } = await holdOut('twin', key)
  const episode = await playedEpisode(key, id)
  const path = `/v1/streams/${id}`
  const revealed = await ask<StreamResource>(key, 'POST', `${path}/reveal`)
  expect(found(JSON.stringify(revealed))).toEqual(expect.arrayContaining([`${seed}: seed`]))
  await until(async () => (await send('evaluation', key, 'GET', `${path}/tasks/0/reference`)).status === 200)
  const { text } = await send('evaluation', key, 'GET', `${path}/tasks/0/reference`)
  expect(found(text)).toContainEqual(expect.stringMatching(/: reference of /))
  const { turn } = await ask<EpisodeResource>(key, 'GET', `/v1/episodes/${episode}`)
  expect(turn?.score?.evidence.differences.length).toBeGreaterThan(0)
  expect(evaluationOperations.revealStream.scope).toBe('run')
})
