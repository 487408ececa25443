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
  const { kind, title, version, policies, verdicts, asking, dialogues, building } = benchmark
  const usual = chooseDefaultLanguage(benchmark)
  const others = (asking.languages ?? []).filter((language) => language !== usual)
  const help = presentations.find((one) => one.kind === kind)?.options ?? {}
  return {
    ...{ kind, title, version, policies: [...policies], verdicts: [...verdicts] },
    promptings: [...asking.promptings],
    documentation: asking.defaults?.documentation ?? 'full',
    languages: usual ? [usual, ...others] : [],
    setups: [...(asking.setups ?? [])],
    layouts: [...(asking.layouts ?? [])],
    settings: Object.keys(asking.settings ?? {}),
    ...(dialogues && { limits: dialogues.limits.usual }),
    rootCauses: [...(benchmark.reporting?.opinions?.causes ?? [])],
    writing: building?.writing !== undefined,
    scenarios: building?.build
      ? scenarios.map(({ id, title: name, options }) => ({ id, title: name, ...(options && { options }) }))
      : [],
    help: { ...help },
  }
}
