/**
 * One evaluation on so many execution replicas, each held to a part of a core by the kernel; what each
 * process used is the profile.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@stateeval/client'
import { type Case, evaluationOperations } from '@stateeval/contracts'
import type { Servers } from '@stateeval/testkit'
import { startSuite } from '@stateeval/testkit'
import { openCgroup } from '../../packages/jail/src/cgroup/cgroup.ts'
import { measureUsage } from '../../packages/jail/src/process-tree.ts'
import { serve, type Served } from '../coordinator/serve.ts'
import { instantModel } from '../coordinator/stand-ins.ts'
import { childrenNamed, ownCpuSecondsOf } from '../coordinator/usage.ts'

export interface Measured {
  replicas: number
  samples: number
  passed: number
  seconds: number
  /** CPU seconds a sample. */
  evaluation: number
  scoring: number
  execution: number
  servers: number
}

interface Scales {
  cases: number
  samples: number
  /** Cores that a replica may use. */
  quota: number
  window: number
}

/**
 * Measures with each number of replicas in turn; null where the kernel gives no control groups, with the
 * reason on stderr.
 */
export async function measureScale(
  servers: Servers,
  replicas: readonly number[],
  { cases, samples, quota, window }: Scales,
): Promise<Measured[] | null> {
  const suite = await startSuite({
    servers,
    env: { STATEEVAL_WINDOW: String(window) },
    only: ['trace-generation', 'translation'],
  })
  const serverPids = childrenNamed(['stateeval-local', 'mongod', 'nats-server']).map(({ pid }) => pid)
  const evaluation = await serve('evaluation', suite.env)
  const scoring = await serve('scoring', suite.env)
  const client = createClient(evaluationOperations, { baseUrl: evaluation.url })
  const closing: (() => Promise<unknown>)[] = []
  let running: Served[] = []

  const startReplicas = async (count: number): Promise<boolean> => {
    for (let n = running.length; n < count; n++) {
      const limits = { memoryMiB: 8192, pids: 4000, cpuQuota: quota }
      const group = openCgroup(`replica-${n}`, limits)
      if ('unavailable' in group) {
        process.stderr.write(`no replicas can be limited: ${group.unavailable}\n`)
        return false
      }
      const env = { ...suite.env, STATEEVAL_CONCURRENCY: '1' }
      running.push(await serve('execution', env, group.entering))
      closing.push(() => group.close())
    }
    return true
  }
  const ended = async (look: () => Promise<{ status: string; error?: string }>) => {
    for (;;) {
      const { status, error } = await look()
      if (status === 'succeeded') return
      if (status !== 'running' && status !== 'queued') throw new Error(error ?? status)
      await pause(100)
    }
  }
  try {
    if (!(await startReplicas(1))) return null
    const { id } = await client.createBenchmark({
      body: {
        build: {
          ...{ scenario: 'session-service', programs: cases + 4, keep: cases, seed: 5 },
          secondWorlds: false,
        },
      },
    })
    await ended(() => client.getBenchmark({ params: { id } }))
    const items = (await client.listBenchmarkCases({ params: { id } })).items as Case[]
    const model = await instantModel(items)
    closing.push(() => model.close())
    await client.putModel({
      params: { name: 'instant' },
      body: { baseUrl: model.baseUrl, model: 'instant', concurrency: window },
    })
    const used = () => ({
      evaluation: ownCpuSecondsOf(evaluation.pid),
      scoring: ownCpuSecondsOf(scoring.pid),
      execution: running.reduce((sum, { pid }) => sum + measureUsage(pid).cpuMs / 1000, 0),
      servers: serverPids.reduce((sum, pid) => sum + ownCpuSecondsOf(pid), 0),
    })
    const evaluate = async (many: number): Promise<Measured> => {
      const before = used()
      const began = performance.now()
      const created = await client.createEvaluation({
        body: { benchmark: id, model: 'instant', samples: many, fresh: true },
      })
      const look = () => client.getEvaluation({ params: { id: created.id } })
      await ended(look)
      const seconds = (performance.now() - began) / 1000
      const after = used()
      const { counts } = await look()
      const each = (part: keyof typeof after) => (after[part] - before[part]) / counts.samples
      return {
        replicas: running.length,
        samples: counts.samples,
        passed: counts.passed,
        seconds,
        evaluation: each('evaluation'),
        scoring: each('scoring'),
        execution: each('execution'),
        servers: each('servers'),
      }
    }
    const measured: Measured[] = []
    for (const count of replicas) {
      await startReplicas(count)
      // Runners start, and code is compiled, before anything is counted.
      await evaluate(2)
      measured.push(await evaluate(Math.ceil(samples / cases)))
      const { seconds, samples: many } = measured.at(-1)!
      process.stderr.write(`${count} replicas: ${(many / seconds).toFixed(1)} samples a second\n`)
    }
    return measured
  } finally {
    for (const { child } of [evaluation, scoring, ...running]) child.kill('SIGKILL')
    running = []
    await suite.stop()
    for (const close of closing) await close()
  }
}
