/**
 * `npm run perf -- coordinator [samples] [samples of each case with the sandbox]`: an evaluation of 10,000
 * samples whose answers come at once and whose runs are answered from the oracle, so that nothing is left but
 * the coordinator; then real runs, to see which of the two bounds an evaluation. Every service has a process
 * of its own, and the time that each used is the profile.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@stateeval/client'
import { type Case, evaluationOperations } from '@stateeval/contracts'
import { startWorker } from '@stateeval/service-kit'
import { startServers, startSuite } from '@stateeval/testkit'
import { serve } from './coordinator/serve.ts'
import { instantModel, instantRuns } from './coordinator/stand-ins.ts'
import { childrenNamed, cpuSecondsOf, peakMiBOf } from './coordinator/usage.ts'
import type { Bench } from './result.ts'

const aimMiB = 300
const cases = 10

/** What an evaluation took: wall time, and the processor time of each process. */
interface Measured {
  samples: number
  passed: number
  notScored: number
  seconds: number
  cpu: Record<string, number>
}

export async function run([count = '10000', real = '20']: string[]): Promise<Bench> {
  const samples = Math.ceil(Number(count) / cases)
  const servers = await startServers()
  const suite = await startSuite({
    servers,
    env: { STATEEVAL_WINDOW: '64' },
    only: ['trace-generation', 'translation'],
  })
  const evaluation = await serve('evaluation', suite.env)
  const scoring = await serve('scoring', suite.env)
  const execution = await serve('execution', suite.env)
  const processes: Record<string, number> = {
    evaluation: evaluation.pid,
    scoring: scoring.pid,
    execution: execution.pid,
    ...Object.fromEntries(
      childrenNamed(['stateeval-local', 'mongod', 'nats-server']).map(({ pid }, n) => [
        n ? `server ${n + 1}` : 'database and queue',
        pid,
      ]),
    ),
  }
  const client = createClient(evaluationOperations, { baseUrl: evaluation.url })
  const succeeded = async <R extends { status: string; error?: string }>(
    look: () => Promise<R>,
  ): Promise<R> => {
    for (;;) {
      const resource = await look()
      if (resource.status === 'succeeded') return resource
      if (resource.status !== 'running' && resource.status !== 'queued')
        throw new Error(resource.error ?? resource.status)
      await pause(500)
    }
  }
  try {
    const { id } = await client.createBenchmark({
      body: {
        build: {
          scenario: 'session-service',
          programs: cases + 4,
          keep: cases,
          seed: 5,
          secondWorlds: false,
        },
      },
    })
    await succeeded(() => client.getBenchmark({ params: { id } }))
    const items = (await client.listBenchmarkCases({ params: { id } })).items as Case[]
    const model = await instantModel(items)
    await client.putModel({
      params: { name: 'instant' },
      body: { baseUrl: model.baseUrl, model: 'instant', concurrency: 64 },
    })

    const used = () =>
      Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, cpuSecondsOf(pid)]))
    const evaluate = async (many: number): Promise<Measured> => {
      const before = used()
      const ownCpu = process.cpuUsage()
      const began = performance.now()
      const createdEvaluation = await client.createEvaluation({
        body: { benchmark: id, model: 'instant', samples: many, fresh: true },
      })
      const { counts } = await succeeded(async () => {
        const latestEvaluation = await client.getEvaluation({ params: { id: createdEvaluation.id } })
        process.stderr.write(`\r${latestEvaluation.counts.scored} of ${latestEvaluation.counts.samples} `)
        return latestEvaluation
      })
      const seconds = (performance.now() - began) / 1000
      const { user, system } = process.cpuUsage(ownCpu)
      const after = used()
      const cpu = Object.fromEntries(
        Object.entries(after).map(([name, then]) => [name, then - (before[name] ?? 0)]),
      )
      return { ...counts, seconds, cpu: { ...cpu, 'stand-ins': (user + system) / 1e6 } }
    }
    const sandboxed = await evaluate(Number(real))
    execution.child.kill('SIGTERM')
    delete processes['execution']
    await pause(1000)
    const worker = startWorker(instantRuns(items), {}, suite.services['translation']!.platform)
    const fast = await evaluate(samples)
    const peakMiB = peakMiBOf(evaluation.pid)
    await worker.stop(1000)
    await model.close()

    const rateOf = ({ samples: done, seconds }: Measured) => done / seconds
    const cpuMs = (one: Measured, name: string) => ((one.cpu[name] ?? 0) * 1000) / one.samples
    const rate = rateOf(fast)
    return {
      about: `An evaluation of ${fast.samples} samples, each service in a separate process, with the paper’s two inputs per case. A scripted endpoint answers immediately, and the oracle answers the runs. The peer is the same evaluation with the real sandbox, ${sandboxed.samples} samples.`,
      parts: [
        {
          name: 'memory of the coordinator at its peak',
          unit: 'MiB',
          ours: peakMiB,
          peer: aimMiB,
          ratio: aimMiB / peakMiB,
          aim: 1,
        },
        {
          name: 'samples without the sandbox',
          unit: '1/s',
          ours: rate,
          peer: rateOf(sandboxed),
          ratio: rate / rateOf(sandboxed),
          aim: 1,
        },
        { name: 'processor time of the coordinator a sample', unit: 'ms', ours: cpuMs(fast, 'evaluation') },
      ],
      notes: `${profile({ 'without the sandbox': fast, 'with the sandbox': sandboxed })}\n\nPassed ${fast.passed} of ${fast.samples}, not scored ${fast.notScored}.`,
    }
  } finally {
    for (const { child } of [evaluation, scoring, execution]) child.kill('SIGKILL')
    await suite.stop()
    await servers.stop()
  }
}

/** Processor time by process: of each sample, and its share of all. */
function profile(runs: Record<string, Measured>): string {
  const names = [...new Set(Object.values(runs).flatMap(({ cpu }) => Object.keys(cpu)))]
  const cell = ({ cpu, samples }: Measured, name: string) => {
    const ownTime = cpu[name]
    const all = Object.values(cpu).reduce((sum, one) => sum + one, 0)
    return ownTime === undefined
      ? ''
      : `${((ownTime * 1000) / samples).toFixed(1)} (${Math.round((ownTime / all) * 100)}%)`
  }
  return [
    `| processor time a sample, ms (share) | ${Object.keys(runs).join(' | ')} |`,
    `| --- |${' ---: |'.repeat(Object.keys(runs).length)}`,
    ...names.map(
      (name) =>
        `| ${name} | ${Object.values(runs)
          .map((one) => cell(one, name))
          .join(' | ')} |`,
    ),
    `| cores busy | ${Object.values(runs)
      .map(({ cpu, seconds }) => (Object.values(cpu).reduce((sum, one) => sum + one, 0) / seconds).toFixed(2))
      .join(' | ')} |`,
  ].join('\n')
}
