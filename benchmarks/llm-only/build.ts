/**
 * Sets: one case for each scenario. The first program that is generated is the reference: it keeps to the
 * constraints.
 */
import { listCaseArtifacts } from '@stateeval/contracts'
import type { BenchmarkBuild } from '@stateeval/program'
import { buildDocumentationCase, type DocumentationCase, kind, formatDocumentationCase } from './case.ts'
import { version } from './version.ts'

export const build: BenchmarkBuild<DocumentationCase> = {
  flow: {
    start: ({ program }) => ({
      done: { status: 'passed', case: buildDocumentationCase(program), runtimes: [], retries: 0 },
    }),
    need: () => {
      throw new TypeError('a program of this kind has no needs')
    },
    resume: () => {
      throw new TypeError('a program of this kind waits for nothing')
    },
  },
  async assemble(parts, options, versions) {
    const cases = parts.flatMap(({ ends }) => {
      const first = ends.find((end) => end.status === 'passed')
      return first?.status === 'passed' ? [first.case] : []
    })
    if (cases.length === 0) return null
    const generated = parts.reduce((sum, { ends }) => sum + ends.length, 0)
    return {
      lines: cases.map(formatDocumentationCase),
      artifacts: [...new Set(cases.flatMap(listCaseArtifacts))].sort(),
      readme: `# ${kind}\n\n${cases.map(({ instruction }) => `- ${instruction}`).join('\n')}\n`,
      about: {
        seed: options.seed,
        options: { ...options },
        counts: { generated, passed: generated, kept: cases.length },
        filtered: [],
        statistics: [],
        versions: { [`benchmark ${kind}`]: version, ...versions },
      },
    }
  },
}
