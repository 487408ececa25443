/** What N nodes do, from what was measured on one machine, and the page that says so. */
import type { Measured } from './measure.ts'
import { simulate, type Simulated, type Station } from './simulate.ts'

/** CPU seconds that a sample takes of each part. */
type Costs = Pick<Measured, 'evaluation' | 'scoring' | 'execution' | 'servers'>

/** Of several measurements, each sample counting the same. */
export function meanCosts(measured: readonly Measured[]): Costs {
  const samples = measured.reduce((sum, one) => sum + one.samples, 0)
  const mean = (part: keyof Costs) =>
    measured.reduce((sum, one) => sum + one[part] * one.samples, 0) / samples
  return {
    evaluation: mean('evaluation'),
    scoring: mean('scoring'),
    execution: mean('execution'),
    servers: mean('servers'),
  }
}

/**
 * Who serves an evaluation. A service’s own code runs on one core of its process; the servers use all the
 * cores that they have.
 */
export interface Cluster {
  /** Cores for programs, over all nodes; or replicas with a part of a core each. */
  executionPlaces: number
  /** Cores of a place; 1 where nothing limits it. */
  placeCores?: number
  evaluations: number
  scorings: number
  serverCores: number
  /** Samples in flight. */
  window: number
}

export function predict(costs: Costs, cluster: Cluster): Simulated {
  const { executionPlaces, placeCores = 1, evaluations, scorings, serverCores, window } = cluster
  const stations: Station[] = [
    { name: 'evaluation', places: evaluations, seconds: costs.evaluation },
    { name: 'execution', places: executionPlaces, seconds: costs.execution / placeCores },
    { name: 'scoring', places: scorings, seconds: costs.scoring },
    { name: 'database and queue', places: serverCores, seconds: costs.servers },
  ]
  return simulate(stations, { window })
}

interface Prediction {
  nodes: number
  cluster: Cluster
  simulated: Simulated
}

const coresOfNode = 4
/**
 * Clusters of execution nodes with four cores each, with one or more replicas of the other services and a
 * server of four or more cores.
 */
export function predictions(costs: Costs): Prediction[] {
  const clusters = [
    { evaluations: 1, scorings: 1, serverCores: 4 },
    { evaluations: 4, scorings: 4, serverCores: 4 },
    { evaluations: 8, scorings: 8, serverCores: 16 },
  ]
  return clusters.flatMap((others) =>
    [1, 2, 4, 8, 16, 64].map((nodes) => {
      const executionPlaces = nodes * coresOfNode
      const cluster = { ...others, executionPlaces, window: Math.max(64, 4 * executionPlaces) }
      return { nodes, cluster, simulated: predict(costs, cluster) }
    }),
  )
}

const ms = (seconds: number) => (seconds * 1000).toFixed(1)
const rate = (perSecond: number) => perSecond.toFixed(perSecond < 10 ? 1 : 0)
const percent = (share: number) => `${Math.round(share * 100)} %`

export interface Scaled {
  measured: readonly Measured[]
  quota: number
  window: number
  costs: Costs
  /** Samples a second as simulated for each measurement. */
  simulatedRates: readonly number[]
  machine: string
}

export const measuredTable = ({ measured, quota, simulatedRates }: Scaled) =>
  [
    '| execution replicas | cores each | samples/s | relative to the first | simulated | execution, ms a sample | evaluation | scoring | database and queue |',
    `| ---: |${' ---: |'.repeat(8)}`,
    ...measured.map((one, at) => {
      const perSecond = one.samples / one.seconds
      const first = measured[0]!
      const factor = perSecond / (first.samples / first.seconds)
      const cells = [one.replicas, quota, rate(perSecond), factor.toFixed(2), rate(simulatedRates[at]!)]
      const costs = [one.execution, one.evaluation, one.scoring, one.servers].map(ms)
      return `| ${[...cells, ...costs].join(' | ')} |`
    }),
  ].join('\n')

/** docs/scaling.md. */
export function page(scaled: Scaled): string {
  const { costs, machine, window } = scaled
  const rows = predictions(costs).map(
    ({ nodes, cluster, simulated }) =>
      `| ${nodes} | ${cluster.evaluations} | ${cluster.scorings} | ${cluster.serverCores} | ${rate(simulated.perSecond)} | ${simulated.saturates} (${percent(simulated.busy[simulated.saturates]!)}) |`,
  )
  return `# Scaling

Written by \`npm run perf -- scale\`, which measures one evaluation on one machine and simulates larger ones from it.

## What to add next

- **Execution** runs the programs and takes most of the CPU time. Add nodes while its queue grows; KEDA does
  this automatically ([kubernetes.md](kubernetes.md)).
- **Evaluation** uses one core per replica. Add replicas when their cores are busy: any replica advances any sample.
- **Database and queue** are shared by all. Give them separate cores, and use a MongoDB and a NATS cluster beyond
  the rates in the table: the measured embedded servers serve one machine.
- The **window** is the number of items of one evaluation in flight. It follows execution: twice the jobs that all its
  replicas hold, from 16 to 512, so its memory has a bound. Evaluation asks the replicas every 10 seconds, and
  widens running evaluations too. \`STATEEVAL_WINDOW\` fixes it. Results do not depend on it.

## With an autoscaler

A replica of execution holds eight jobs for each core, and KEDA starts a replica for each \`jobsPerReplica\` jobs, also
eight for each core. As the window is twice what the replicas hold, a single evaluation doubles them until
\`maxReplicas\`: 2, 4, 8, 16, 20. Eight evaluations reach 20 in one step. If you change the CPU limit, change
\`jobsPerReplica\` with it.

With \`services.execution.scaleToZero\`, execution has no replica while no job waits. The first job starts one. Meanwhile,
requests that wait for their answer are refused, and so are builds that do not name their languages. An installation
without work requests:

| replicas of execution | cores | memory |
| ---: | ---: | ---: |
| 2 | 5.6 | 5.75 GiB |
| 0 | 1.6 | 1.75 GiB |

MongoDB and NATS are not included.

Models are not included: an evaluation that waits for its endpoint is as fast as the endpoint.

## Measured

A control group limits each execution replica to a part of a core, and each runs one program at a time. Evaluation, scoring,
the database and the queue share the rest of the machine. The endpoint answers immediately, ${window} samples are in flight, and every sample runs on the
two inputs of its case. Costs are CPU time per sample.

${measuredTable(scaled)}

Measured on ${machine}.
Rates are not meaningful alongside other processes; costs are CPU time and remain meaningful.

## Simulated

A sample passes through evaluation, execution, scoring and the servers, each with as many slots as it has cores, and with the costs
above. Nodes of execution have four cores, each of which runs one program at a time.

| execution nodes | evaluation replicas | scoring replicas | cores of database and queue | samples/s | busiest part |
| ---: | ---: | ---: | ---: | ---: | --- |
${rows.join('\n')}

The simulation has no network between nodes, no noisy neighbours and no slow disks. Take its rates as upper bounds and its last column as the
order in which parts saturate. \`perf/scale/simulate.test.ts\` compares it with cases that can be solved by hand.

`
}
