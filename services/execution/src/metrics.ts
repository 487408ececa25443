/**
 * Metrics of the sandbox: the time of each phase of a run, how runs end, and which runs needed a separate
 * jail.
 */
import { type IsolationLevel, levels, type RunTelemetry, type SandboxWorld } from '@stateeval/sandbox'
import { Counter, Gauge, Histogram } from 'prom-client'
import { getCurrentSpan, type ServiceLog, type ServicePlatform } from '@stateeval/service-kit'

/** In seconds: a warm fork takes milliseconds, a limit of time may be many seconds. */
const buckets = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 20]

export function createSandboxMetrics({ registry }: ServicePlatform['metrics']): RunTelemetry {
  const registers = [registry]
  const seconds = new Histogram({
    name: 'stateeval_run_phase_duration_seconds',
    help: 'Duration of the parts of a run: create the world, wait for a place, run the program, read the world, clean up',
    labelNames: ['phase', 'language'],
    buckets,
    registers,
  })
  const parts = new Histogram({
    name: 'stateeval_runner_part_duration_seconds',
    help: 'Duration of the parts of a run in a warm runner: run the code, clean up',
    labelNames: ['part', 'language'],
    buckets,
    registers,
  })
  const cpu = new Counter({
    name: 'stateeval_run_cpu_seconds_total',
    help: 'CPU time of programs, by isolation level',
    labelNames: ['sandbox', 'language'],
    registers,
  })
  const runs = new Counter({
    name: 'stateeval_runs_total',
    help: 'Runs by ending and isolation level',
    labelNames: ['ending', 'sandbox', 'language'],
    registers,
  })
  const faults = new Counter({
    name: 'stateeval_infrastructure_errors_total',
    help: 'Runs without a finding about the program, because the sandbox or the world failed',
    labelNames: ['sandbox', 'language'],
    registers,
  })
  const bails = new Counter({
    name: 'stateeval_runs_moved_total',
    help: 'Runs that needed a feature that warm runners lack',
    registers,
  })
  const canaries = new Counter({
    name: 'stateeval_canaries_total',
    help: 'Canaries that ran in warm jails, by what they found: clean, or touched by an earlier program',
    labelNames: ['found'],
    registers,
  })
  const repeats = new Counter({
    name: 'stateeval_runs_repeated_total',
    help: 'Runs repeated alone after a timeout in parallel with others',
    registers,
  })
  return {
    phase(phase, language, ms) {
      seconds.observe({ phase, language }, ms / 1000)
      getCurrentSpan()?.part(phase, ms, { language })
    },
    part(part, language, ms) {
      parts.observe({ part, language }, ms / 1000)
      getCurrentSpan()?.part(`runner-${part}`, ms, { language })
    },
    used: (cpuMs, sandbox, language) => cpu.inc({ sandbox, language }, cpuMs / 1000),
    bailed: () => bails.inc(),
    ended(ending, sandbox, language) {
      runs.inc({ ending, sandbox, language })
      if (ending === 'infrastructure') faults.inc({ sandbox, language })
    },
    canary: (problem) => canaries.inc({ found: problem === undefined ? 'clean' : 'touched' }),
    repeated: () => repeats.inc(),
  }
}

/** The isolation level of programs; each known level has a series. */
export function createLevelMetrics({ registry }: ServicePlatform['metrics'], level: IsolationLevel): void {
  const gauge = new Gauge({
    name: 'stateeval_sandbox_level',
    help: '1 for the isolation level of this process, 0 for the other levels',
    labelNames: ['level'],
    registers: [registry],
  })
  for (const name of levels) gauge.set({ level: name }, name === level ? 1 : 0)
}

/** Graphs by the provider that ran them, for worlds with graphs. */
export function createWorldMetrics(
  { registry }: ServicePlatform['metrics'],
  worlds: readonly SandboxWorld[],
) {
  const each = (name: string, help: string, key: 'graphs' | 'created') =>
    new Counter({
      name,
      help,
      labelNames: ['world', 'provider'],
      registers: [registry],
      collect() {
        this.reset()
        for (const { id, tensors } of worlds)
          for (const [provider, counts] of Object.entries(tensors?.counts() ?? {}))
            this.inc({ world: id, provider }, counts[key])
      },
    })
  each('stateeval_graphs_total', 'Tensor graphs that were run', 'graphs')
  each(
    'stateeval_graph_sessions_total',
    'ONNX Runtime sessions created for graphs; other graphs reused a session',
    'created',
  )
}

/** The same, and each canary that was touched is a warning in the log. */
export const withWarnings = (telemetry: RunTelemetry, log: ServiceLog): RunTelemetry => ({
  ...telemetry,
  canary(problem) {
    telemetry.canary?.(problem)
    if (problem !== undefined) log.warn({ found: problem }, 'a canary was touched: the warm jail is replaced')
  },
})
