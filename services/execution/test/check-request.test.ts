import { expect, test } from '@jest/globals'
import {
  toJson,
  type ExecutionRequest,
  type Language,
  type Observation,
  type ProblemError,
} from '@stateeval/contracts'
import { mergeConfirmations, type Sandbox } from '@stateeval/sandbox'
import { partial } from '@stateeval/testkit/partial'
import { checkRequest } from '../src/check-request.ts'
import { createLog, PackedValue, JobRefusal } from '@stateeval/service-kit'
import { measureRoom } from '../src/config.ts'
import type { ExecutionContext } from '../src/context.ts'
import { executeJob } from '../src/jobs/execute.ts'

const request: ExecutionRequest = {
  language: 'python',
  code: 'RESULT = 1',
  world: 'w',
  inputs: [{ variables: {}, world: {} }],
}
const context = (languages: Language[], missing: Record<string, string> = {}) =>
  partial<ExecutionContext>({
    sandbox: { languages, unavailable: { python: 'install requests' }, missing: () => missing },
    world: () => Promise.resolve({}),
    config: { maxLimits: { memoryMiB: 1024, processes: 100 } },
  })

test('a language that can’t be had here is refused, with what to do', async () => {
  await checkRequest(request, context(['javascript', 'python']))
  await expect(
    checkRequest(request, context(['javascript', 'python'], { python: 'install torch' })),
  ).rejects.toThrow('the world w is unavailable in python: install torch')
  await expect(checkRequest(request, context(['javascript']))).rejects.toThrow(
    'no runtime for python here, only for javascript: install requests',
  )
})

test('a job in a language that is missing for now runs into that, so it is asked for again', async () => {
  const observation: Observation = {
    ending: { status: 'infrastructure', reason: 'no runtime for python: install requests' },
    world: null,
    log: [],
    output: '',
    faults: [],
    wallMs: 0,
    sandbox: 'none',
  }
  const here = context(['javascript'])
  const each: Sandbox['each'] = async (_program, _signal, take) => {
    await take(observation, 0)
    return mergeConfirmations([])
  }
  Object.assign(here.sandbox, { fingerprint: 'f', each })
  const log = createLog('test', { level: 'silent' })
  const run = { id: 'x', signal: new AbortController().signal, log, used: () => undefined, mayMove: true }
  expect(await executeJob.handle(request, here, run)).toEqual(
    new PackedValue({ inline: toJson({ observations: [observation], runtime: 'f' }) }),
  )
  const never = partial<ExecutionContext>({
    ...here,
    world: () => Promise.resolve({ languages: ['javascript'] }),
  })
  await expect(executeJob.handle(request, never, run)).rejects.toThrow(JobRefusal)
})

test('limits beyond what there is are refused, and the field is named', async () => {
  const refused = async (limits: ExecutionRequest['limits'], at = '') => {
    try {
      await checkRequest({ ...request, limits }, context(['python']), at)
    } catch (error) {
      const { code, field, message } = error as ProblemError
      return { code, field, message }
    }
  }
  expect(await refused({ memoryMiB: 1024, processes: 100 })).toBeUndefined()
  expect(await refused({ memoryMiB: 1025 })).toMatchObject({
    code: 'unprocessable',
    field: '/limits/memoryMiB',
    message: expect.stringContaining('at most 1024'),
  })
  expect(await refused({ processes: 4096 }, '/batch/3')).toMatchObject({ field: '/batch/3/limits/processes' })
})

test('places follow from cores and memory, warm runners counted', () => {
  const machine = (cpus: number, gibibytes: number, pids = Infinity) =>
    measureRoom({ cpus, memoryBytes: gibibytes * 2 ** 30, pids, from: { cpus: 'cgroup', memory: 'cgroup' } })
  expect(machine(4, 4, 512)).toEqual({ places: 4, memoryMiB: 2866, processes: 448 })
  expect(machine(16, 4)).toEqual({ places: 4, memoryMiB: 2866, processes: Infinity })
  expect(machine(2, 0.5)).toEqual({ places: 1, memoryMiB: 256, processes: Infinity })
})
