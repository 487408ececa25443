/** A small benchmark, and evaluations of a mutant on it: each has the same result, whatever happens. */
import { expect } from '@jest/globals'
import { exampleFolder } from '../../packages/contracts/src/examples/imports.ts'
import type { FailoverCaller } from './caller.ts'

export interface MutantEvaluations {
  benchmark: string
  /** Resolves to the id of a new evaluation. */
  begin: () => Promise<string>
  /** Resolves to the result as JSON; rejects if the evaluation does not succeed. */
  waitForResult: (evaluation: string) => Promise<string>
}

export async function importMutantBenchmark(caller: FailoverCaller): Promise<MutantEvaluations> {
  const { id: benchmark } = await caller.call<{ id: string }>('POST', '/v1/benchmarks/import', exampleFolder)
  return {
    benchmark,
    async begin() {
      const request = { benchmark, model: 'mutant', seed: 3 }
      return (await caller.call<{ id: string }>('POST', '/v1/evaluations', request)).id
    },
    async waitForResult(id) {
      expect(await caller.ended(`/v1/evaluations/${id}`)).toMatchObject({ status: 'succeeded' })
      const report = await caller.call<{ result: unknown }>('GET', `/v1/evaluations/${id}/report`)
      return JSON.stringify(report.result)
    },
  }
}
