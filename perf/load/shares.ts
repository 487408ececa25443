/**
 * What bus, store and HTTP cost beside the run itself: the same five-call program by way of the service, and
 * by the sandbox alone.
 */
import { availableParallelism } from 'node:os'
import type { ExecutionRequest } from '@stateeval/contracts'
import { completeLimits, createSandbox } from '@stateeval/sandbox'
import { namespace, type Servers } from '@stateeval/testkit'
import { measureUsage } from '../../packages/jail/src/process-tree.ts'
import { createWorld } from '../../scenarios/session-service/backend/index.ts'
import { childrenNamed, ownCpuSecondsOf } from '../coordinator/usage.ts'
import { startOurs } from '../sandbox/ours.ts'
import { programs, requestOf } from '../sandbox/programs.ts'

const fiveCalls = requestOf(
  programs.find(({ kind, language }) => kind === 'five calls' && language === 'javascript')!,
)

interface Shares {
  /** Of the way that costs more, between 0 and 1. */
  share: number
  notes: string
}

/** `besides`: processes that this one has started for something else. */
export async function shares(
  servers: Servers,
  { times, besides }: { times: number; besides: readonly number[] },
): Promise<Shares> {
  const serverPids = childrenNamed(['stateeval-local', 'mongod', 'nats-server']).map(({ pid }) => pid)
  const serversMs = () => serverPids.reduce((sum, pid) => sum + ownCpuSecondsOf(pid) * 1000, 0)
  const besidesMs = () => besides.reduce((sum, pid) => sum + measureUsage(pid).cpuMs, 0)
  const cores = availableParallelism()
  /** CPU milliseconds of a run. */
  const cost = async (one: () => Promise<unknown>, ownMs: () => number) => {
    const together = async (count: number) => {
      let left = count
      const worker = async () => {
        while (left-- > 0) await one()
      }
      await Promise.all(Array.from({ length: cores }, worker))
    }
    await together(times / 2)
    const before = ownMs() + serversMs()
    await together(times)
    return (ownMs() + serversMs() - before) / times
  }

  const alone = await runAlone(servers, cores)
  const aloneMs = await cost(
    () => alone.run(fiveCalls),
    () => measureUsage(process.pid).cpuMs - serversMs() - besidesMs(),
  )
  await alone.close()
  const ours = await startOurs(servers, cores)
  const overHttp = await cost(
    () => ours.one(fiveCalls),
    () => ours.cpu().all,
  )
  const overBus = await cost(
    () => ours.job(fiveCalls),
    () => ours.cpu().all,
  )
  await ours.stop()
  const shareOf = (ms: number) => Math.max(0.001, (ms - aloneMs) / ms)
  const percent = (ms: number) => `${(100 * shareOf(ms)).toFixed(0)} %`
  return {
    share: Math.max(shareOf(overHttp), shareOf(overBus)),
    notes: `A five-call run costs ${aloneMs.toFixed(1)} ms of CPU time in the sandbox alone, including the calls’ database; ${overHttp.toFixed(1)} over HTTP (${percent(overHttp)} for HTTP and store) and ${overBus.toFixed(1)} through the queue (${percent(overBus)} for bus and store).`,
  }
}

async function runAlone(servers: Servers, concurrency: number) {
  const sandbox = await createSandbox({ concurrency })
  const world = createWorld({
    mongodb: servers.mongoUri,
    namespace: namespace(),
    concurrency,
    settings: {},
  })
  return {
    async run({ language, code, inputs }: ExecutionRequest) {
      const request = { language, code, inputs, world, limits: completeLimits() }
      const [observation] = await sandbox.run(request, new AbortController().signal)
      if (observation?.ending.status !== 'completed')
        throw new Error(`a program of the bench didn’t complete: ${JSON.stringify(observation?.ending)}`)
    },
    async close() {
      await sandbox.close()
      await world.close()
    },
  }
}
