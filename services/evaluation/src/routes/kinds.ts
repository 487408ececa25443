/** Kinds of benchmarks, with their descriptions. */
import { presentations } from '@stateeval/benchmarks/presentations'
import type { BenchmarkKind } from '@stateeval/contracts'
import type { Benchmark, Scenario } from '@stateeval/program'
import { type SuiteCatalog, chooseDefaultLanguage } from '@stateeval/sets'
import type { OperationRoute } from './route.ts'

export const listBenchmarkKinds: OperationRoute<
  'listBenchmarkKinds',
  Pick<SuiteCatalog, 'benchmarks' | 'scenarios'>
> = async (_request, { benchmarks, scenarios }) => ({
  status: 200,
  body: { items: benchmarks.map((one) => describeKind(one, scenarios)) },
})

function describeKind(benchmark: Benchmark, scenarios: readonly Scenario[]): BenchmarkKind {
  const { kind, title, version, policies, verdicts, promptings, setups, layouts, settings } = benchmark
  const usual = chooseDefaultLanguage(benchmark)
  const others = (benchmark.languages ?? []).filter((language) => language !== usual)
  const help = presentations.find((one) => one.kind === kind)?.options ?? {}
  return {
    ...{ kind, title, version, policies: [...policies], verdicts: [...verdicts] },
    promptings: [...promptings],
    documentation: benchmark.defaults?.documentation ?? 'full',
    languages: usual ? [usual, ...others] : [],
    setups: [...(setups ?? [])],
    layouts: [...(layouts ?? [])],
    settings: Object.keys(settings ?? {}),
    ...(benchmark.limits && { limits: benchmark.limits.usual }),
    rootCauses: [...(benchmark.opinions?.causes ?? [])],
    writing: benchmark.writing !== undefined,
    scenarios: benchmark.build
      ? scenarios.map(({ id, title: name, options }) => ({ id, title: name, ...(options && { options }) }))
      : [],
    help: { ...help },
  }
}
