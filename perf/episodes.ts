/**
 * `npm run perf -- episodes [episodes]`: the steps of episodes over HTTP, each service in a process of its
 * own, beside the same loop in one process without HTTP, queue and stored state. Dialogues of three turns
 * with a live world, by an agent that answers at once: first one after the other, then 64 at a time.
 */
import { createClient } from '@stateeval/client'
import { evaluationOperations } from '@stateeval/contracts'
import { namespace, startScriptedModel, startServers } from '@stateeval/testkit'
import { dialogue } from '../packages/testkit/src/dialogue/benchmark.ts'
import { caseOf } from '../packages/testkit/src/dialogue/case.ts'
import { folderOf } from '../packages/testkit/src/dialogue/folder.ts'
import { listReferenceReplies } from '../packages/testkit/src/dialogue/player.ts'
import { serve, type Served } from './coordinator/serve.ts'
import { childrenNamed, cpuSecondsOf, peakMiBOf } from './coordinator/usage.ts'
import { drive, type Driven, quantile, type Stepper } from './episodes/drive.ts'
import { inProcess } from './episodes/in-process.ts'
import type { Bench } from './result.ts'

const [maxOverheadMs, leastRate, concurrency] = [10, 150, 64]
const names = ['evaluation', 'execution', 'scoring']
const register = new URL('../packages/testkit/src/dialogue/register.ts', import.meta.url).href

export async function run([count = '600']: string[]): Promise<Bench> {
  const many = Number(count)
  const few = Math.ceil(many / 10)
  const cases = Array.from({ length: 10 }, (_, n) => caseOf(n))
  const replies = cases.map((c) =>
    listReferenceReplies(c).map(({ text, finish, toolCalls }) => ({
      text,
      finish,
      ...(toolCalls && { toolCalls: [...toolCalls] }),
    })),
  )
  const servers = await startServers()
  const env = {
    ...servers.env,
    STATEEVAL_NAMESPACE: namespace(),
    STATEEVAL_MODEL_NETWORKS: 'loopback',
    NODE_OPTIONS: `--import=${register}`,
  }
  const judge = await startScriptedModel(() => ({ say: 'Yes.' }))
  const served: Served[] = []
  for (const name of names) served.push(await serve(name, env))
  const [evaluation] = served as [Served]
  const loop = inProcess(servers.mongoUri)
  try {
    const client = createClient(evaluationOperations, { baseUrl: evaluation.url })
    await client.putModel({ params: { name: 'judge' }, body: { baseUrl: judge.baseUrl, model: 'judge' } })
    const { id: benchmark } = await client.importBenchmark({ body: folderOf(cases) })
    const overHttp = (at: number): Stepper => {
      let id = ''
      return {
        async first() {
          const opened = await client.createEpisode({
            body: { benchmark, case: cases[at]!.id, judge: 'judge' },
          })
          id = opened.id
          return opened.turn!
        },
        step: (step, reply) => client.stepEpisode({ params: { id }, body: { step, reply } }),
      }
    }
    const small = dialogue()
    const here = (at: number): Stepper =>
      loop.open({
        benchmark: small,
        case: cases[at]!,
        parties: { 'judge:quality': { name: 'judge', settings: { baseUrl: judge.baseUrl, model: 'judge' } } },
        options: { prompting: 'direct', seed: 1 },
      })
    const driven = (episodes: number, together: number, open: (at: number) => Stepper) =>
      drive(episodes, together, (n) => ({
        episode: open(n % cases.length),
        replies: replies[n % cases.length]!,
      }))
    await driven(20, 4, overHttp)
    await driven(20, 4, here)
    const alone = { http: await driven(few, 1, overHttp), here: await driven(few, 1, here) }
    const processes = [
      ...served.map(({ pid }, at) => ({ name: names[at]!, pid })),
      ...childrenNamed(['stateeval-local', 'mongod', 'nats-server']),
    ]
    const used = () => processes.map(({ pid }) => cpuSecondsOf(pid))
    const before = used()
    const http = await driven(many, concurrency, overHttp)
    const cpuMs = used().map((after, at) => ((after - before[at]!) * 1000) / http.steps)
    const crowd = { http, here: await driven(many, concurrency, here) }
    const wrong = [...Object.values(alone), ...Object.values(crowd)].flatMap(({ rewards }) =>
      rewards.filter((reward) => reward !== 1),
    )
    if (wrong.length > 0) throw new Error(`${wrong.length} episodes were not rewarded: ${wrong[0]}`)
    const overhead = quantile(alone.http, 0.5) - quantile(alone.here, 0.5)
    const rateOf = ({ steps, seconds }: Driven) => steps / seconds
    return {
      about: `${many} episodes of ${replies[0]!.length} steps over HTTP, compared with the same loop in one process without HTTP, queue and stored state. The dialogues use a live world, and end with a judge and the score.`,
      parts: [
        {
          name: 'a step over HTTP, one at a time: median beyond the same in process',
          unit: 'ms',
          ours: overhead,
          peer: maxOverheadMs,
          ratio: maxOverheadMs / overhead,
          aim: 1,
        },
        {
          name: `steps, ${concurrency} at a time`,
          unit: '1/s',
          ours: rateOf(crowd.http),
          peer: leastRate,
          ratio: rateOf(crowd.http) / leastRate,
          aim: 1,
        },
        { name: 'steps in process, 64 at a time', unit: '1/s', ours: rateOf(crowd.here) },
        { name: 'a step over HTTP, one at a time: median', unit: 'ms', ours: quantile(alone.http, 0.5) },
        { name: 'a step over HTTP, one at a time: p99', unit: 'ms', ours: quantile(alone.http, 0.99) },
        { name: 'a step over HTTP, 64 at a time: p99', unit: 'ms', ours: quantile(crowd.http, 0.99) },
        { name: 'a step in process, one at a time: median', unit: 'ms', ours: quantile(alone.here, 0.5) },
        { name: 'a step in process, one at a time: p99', unit: 'ms', ours: quantile(alone.here, 0.99) },
        {
          name: 'memory of the evaluation service at its peak',
          unit: 'MiB',
          ours: peakMiBOf(evaluation.pid),
        },
      ],
      notes: `Processor time of a step at ${concurrency} at a time, in ms: ${processes
        .map(({ name }, at) => `${name} ${cpuMs[at]!.toFixed(1)}`)
        .join(', ')}.`,
    }
  } finally {
    for (const { child } of served) child.kill('SIGKILL')
    await loop.close()
    await judge.close()
    await servers.stop()
  }
}
