/** How sets of StateEval are built: programs become test cases, a seeded sample of them the set. */
import { type BuildOptions, canonicalJson, type Case } from '@stateeval/contracts'
import { listArtifacts, type BenchmarkBuild, emit, measure } from '@stateeval/program'
import { findLeaks } from '@stateeval/translate'
import { version } from '../version.ts'
import { type CaseJudging, makeProgramFlow } from './program-flow.ts'
import { formatDataCard } from './readme.ts'
import { filterCounts, keep, computeSetStatistics } from './sample.ts'

export const makeBuild = (judge: CaseJudging): BenchmarkBuild<Case> => ({
  flow: makeProgramFlow(judge),
  assemble,
  review: {
    show: (c, { languages }) => ({
      program: c.program.id,
      code: emit(c.program, languages[0] ?? 'javascript') ?? '',
    }),
    faultOf: findInstructionFault,
    decided: (c, instruction, decision) => ({
      ...c,
      instruction,
      flags: [...c.flags, decision === 'edit' ? 'edited_in_review' : 'accepted_in_review'],
    }),
  },
})

const measureCase = async (
  c: Case,
  { languages: [language = 'javascript'] }: BuildOptions,
): Promise<Case> => ({
  ...c,
  metrics: { ...(await measure(c.program, { language, instruction: c.instruction })) },
})

const assemble: BenchmarkBuild<Case>['assemble'] = async (parts, options, versions) => {
  const cases: Case[] = []
  for (const part of parts) for (const c of keep(part, options)) cases.push(await measureCase(c, options))
  if (cases.length === 0) return null
  const ends = parts.flatMap((part) => part.ends)
  const about = {
    seed: options.seed,
    options: { ...options },
    versions: { 'benchmark stateeval': version, ...versions },
    counts: {
      generated: ends.length,
      passed: ends.filter(({ status }) => status === 'passed').length,
      kept: cases.length,
    },
    filtered: parts.flatMap(filterCounts),
    statistics: parts.map((part) =>
      computeSetStatistics(
        part,
        cases.filter((c) => c.scenario === part.scenario),
      ),
    ),
  }
  return {
    lines: cases.map((c) => canonicalJson(c)),
    artifacts: listArtifacts(cases).sort(),
    about,
    readme: formatDataCard({ kind: 'stateeval', ...about }),
  }
}

/** Initial values are for the oracle alone. */
function findInstructionFault({ program }: Case, instruction: string): string | null {
  const leaks = findLeaks(instruction, program)
  if (leaks.length === 0) return null
  const list = leaks.map(({ variable, value }) => `${JSON.stringify(value)} of ${variable}`).join(', ')
  return `the instruction reveals initial values: ${list}; name the variables instead`
}
