/** How sets of StateEval are built: programs become test cases, a seeded sample of them the set. */
import { type BuildOptions, canonicalJson, type Case, listCaseArtifacts } from '@stateeval/contracts'
import {
  type BenchmarkBuild,
  type BenchmarkHost,
  emit,
  listArtifacts,
  measure,
  type Scenario,
} from '@stateeval/program'
import { findLeaks, verify } from '@stateeval/translate'
import { version } from '../version.ts'
import { type CaseJudging, makeProgramFlow } from './program-flow.ts'
import { formatDataCard } from './readme.ts'
import { filterCounts, keep, computeSetStatistics } from './sample.ts'

export const makeBuild = (host: BenchmarkHost, judge: CaseJudging): BenchmarkBuild<Case> => ({
  flow: makeProgramFlow(judge),
  assemble,
  review: {
    show: (c, { languages }) => ({
      program: c.program.id,
      code: emit(c.program, languages[0] ?? 'javascript') ?? '',
    }),
    faultOf: (c, instruction) =>
      findLeakFault(c, instruction) ?? findReadingFault(c, host.scenario(c.scenario), instruction),
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
    artifacts: [...new Set([...listArtifacts(cases), ...cases.flatMap(listCaseArtifacts)])].sort(),
    about,
    readme: formatDataCard({ kind: 'stateeval', ...about }),
  }
}

/** Initial values are for the oracle alone. */
function findLeakFault({ program }: Case, instruction: string): string | null {
  const leaks = findLeaks(instruction, program)
  if (leaks.length === 0) return null
  const list = leaks.map(({ variable, value }) => `${JSON.stringify(value)} of ${variable}`).join(', ')
  return `the instruction reveals initial values: ${list}; name the variables instead`
}

/** An instruction in the translator's own words must be read as this program; others are read by people. */
function findReadingFault({ program }: Case, scenario: Scenario, instruction: string): string | null {
  const { readings, verified, reason } = verify({ program, scenario, instruction })
  return readings === 0 || verified ? null : `${reason}; say what the program does, in one way`
}
