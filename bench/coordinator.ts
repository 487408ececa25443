/**
 * `npm run bench -- coordinator [samples]`: an evaluation of 10,000 samples whose answers come at once and whose runs are
 * answered from the oracle, so that nothing is left but the coordinator; then real runs, to see which of the two bounds an evaluation.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@stateeval/client'
import { type Case, evaluationOperations, type ExecutionRequest, type ExecutionResult, subjects } from '@stateeval/contracts'
import { emit } from '@stateeval/program'
import { type AnyJob, startWorker } from '@stateeval/service-kit'
import { freePort, startScriptedModel, startServers, startSuite } from '@stateeval/testkit'
import type { Bench } from './result.ts'

const aimMiB = 300
const ticksPerSecond = 100

/** Processor seconds and the most memory of a process, from /proc. */
function usageOf(pid: number): { cpuSeconds: number; peakMiB: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0'
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond, peakMiB: Number(peak) / 1024 }
}

export async function run([count = '10000']: string[]): Promise<Bench> {
  const cases = 10
  const samples = Math.ceil(Number(count) / cases)
  const servers = await startServers()
  const env = { STATEEVAL_WINDOW: '64' }
  const suite = await startSuite({ servers, env, only: ['trace-generation', 'translation', 'execution', 'scoring'] })
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, '../services/evaluation/src/main.ts')], {
    env: { ...process.env, ...suite.env, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const client = createClient(evaluationOperations, { baseUrl: `http://127.0.0.1:${port}` })
  try {
    while (!(await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null))?.ok) await pause(100)
    const { id } = await client.createBenchmark({
      body: { build: { scenario: 'session-service', programs: cases + 4, keep: cases, seed: 5 } },
    })
    for (;;) {
      const { status, error } = await client.getBenchmark({ params: { id } })
      if (status === 'succeeded') break
      if (status !== 'running' && status !== 'queued') throw new Error(error ?? status)
      await pause(200)
    }
    const items = (await client.listBenchmarkCases({ params: { id } })).items as Case[]
    const byCode = new Map(items.map((c) => [(emit(c.program, 'javascript') ?? '').trim(), c]))
    const answers = items.map((c) => ({ text: c.instruction.trim(), say: `\`\`\`javascript\n${emit(c.program, 'javascript')}\n\`\`\`` }))
    const model = await startScriptedModel(({ messages }) => ({
      say: answers.find(({ text }) => messages[0]?.content.includes(text))?.say ?? 'none',
    }))
    await client.putModel({ params: { name: 'instant' }, body: { baseUrl: model.baseUrl, model: 'instant', concurrency: 64 } })
    const evaluate = async (many: number) => {
      const before = usageOf(child.pid ?? 0)
      const began = performance.now()
      const created = await client.createEvaluation({ body: { benchmark: id, model: 'instant', samples: many, fresh: true } })
      for (;;) {
        const { status, error, counts } = await client.getEvaluation({ params: { id: created.id } })
        if (status === 'succeeded') {
          const after = usageOf(child.pid ?? 0)
          return { counts, seconds: (performance.now() - began) / 1000, cpu: after.cpuSeconds - before.cpuSeconds, peakMiB: after.peakMiB }
        }
        if (status !== 'running' && status !== 'queued') throw new Error(error ?? status)
        process.stderr.write(`\r${counts.scored} of ${counts.samples} `)
        await pause(500)
      }
    }
    // With the real sandbox: a few samples tell what a run costs.
    const real = await evaluate(2)
    await suite.services['execution']?.stop()
    const instant: AnyJob<unknown> = {
      takes: subjects.execute,
      concurrency: 32,
      validate: (payload) => payload,
      async handle(payload) {
        const { code, inputs } = payload as ExecutionRequest
        const found = byCode.get(code.trim())
        if (!found) throw new Error('code of no case')
        const observations = inputs.map((_, at): ExecutionResult['observations'][number] => {
          const { result, world } = found.oracles[at]!
          return { ending: { status: 'completed', result }, world, log: [], output: '', faults: [], wallMs: 0, sandbox: 'instant' }
        })
        return { observations, runtime: 'instant' }
      },
    }
    const worker = startWorker(instant, {}, suite.services['scoring']!.context)
    const fast = await evaluate(samples)
    await worker.stop(1000)
    await model.close()
    const total = samples * cases
    const msOf = ({ seconds, counts }: typeof fast) => (seconds * 1000) / counts.samples
    const cpuMs = (fast.cpu * 1000) / total
    return {
      about: `An evaluation of ${total} samples by the evaluation service in a process of its own: a scripted endpoint answers at once, the runs are answered from the oracle; then ${2 * cases} samples with the real sandbox.`,
      parts: [
        {
          name: 'memory of the coordinator at its peak',
          unit: 'MiB',
          ours: fast.peakMiB,
          peer: aimMiB,
          ratio: aimMiB / fast.peakMiB,
          aim: 1,
        },
        { name: 'processor time of the coordinator a sample', unit: 'ms', ours: cpuMs },
        { name: 'a sample without the sandbox', unit: 'ms', ours: msOf(fast) },
        { name: 'a sample with the sandbox', unit: 'ms', ours: msOf(real), peer: cpuMs, ratio: msOf(real) / cpuMs },
      ],
      notes: `Passed ${fast.counts.passed} of ${total}, not scored ${fast.counts.notScored}. The third part includes scoring and the embedded database, which run beside the coordinator on the same machine.`,
    }
  } finally {
    child.kill('SIGKILL')
    await suite.stop()
    await servers.stop()
  }
}
