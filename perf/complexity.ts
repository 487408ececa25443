/**
 * How complex the default sets are, beside the paper's (StateEval, section IV-C (RQ2), Table I): 60 programs
 * of the default level of difficulty for each scenario, and those 40 of them that a build keeps. Without
 * replays, which drop hardly any. Options: --seed N (1).
 */
import { createDraftCase } from '@stateeval/benchmark-stateeval/case'
import { buildProgramPrompt } from '@stateeval/benchmark-stateeval/prompt'
import { sample } from '@stateeval/benchmark-stateeval/sample'
import { defaultOptions, generate } from '@stateeval/generate'
import {
  countTokens,
  defaultLevel,
  getLevel,
  isCall,
  measure,
  type ProgramMetrics,
  type Scenario,
} from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import { translate } from '@stateeval/translate'
import type { Bench, BenchPart } from './result.ts'

const programs = 60
const keptPrograms = 40

/** Columns of the paper's Table I, as printed; StateEval's is the one to compare with. */
const paper = {
  promptTokens: {
    HumanEval: 131.32,
    'DS-1000': 282.42,
    BigCodeBench: 144.83,
    BFCL: 77.07,
    StateEval: 717.08,
  },
  codeTokens: { HumanEval: 53.85, 'DS-1000': 42.06, BigCodeBench: 112.44, BFCL: 44.3, StateEval: 442.11 },
  functionCalls: { HumanEval: 0.18, 'DS-1000': 2.07, BigCodeBench: 3.68, BFCL: 2.5, StateEval: 7.16 },
  pathDepth: { HumanEval: 0.12, 'DS-1000': 0.37, BigCodeBench: 0.48, BFCL: 0, StateEval: 2.0 },
  bindingCount: { HumanEval: 0.05, 'DS-1000': 1.17, BigCodeBench: 1.07, BFCL: 0, StateEval: 5.03 },
} as const

/** The rows: a metric of ours with its title and the paper's row beside it. */
const rows: readonly (readonly [
  metric: keyof CaseMetrics,
  title: string,
  paper: keyof typeof paper | null,
])[] = [
  ['promptTokens', 'prompt without API documentation (tokens)', 'promptTokens'],
  ['instructionTokens', 'instruction alone (tokens)', null],
  ['codeTokens', 'code length (tokens)', 'codeTokens'],
  ['releasedCodeTokens', 'code length in Python (tokens)', 'codeTokens'],
  ['functionCalls', 'function calls', 'functionCalls'],
  ['releasedFunctionCalls', 'function calls (released analyser)', 'functionCalls'],
  ['pathDepth', 'path depth', 'pathDepth'],
  ['releasedPathDepth', 'path depth (released analyser)', 'pathDepth'],
  ['bindingCount', 'binding count', 'bindingCount'],
  ['releasedBindingCount', 'binding count (released analyser)', 'bindingCount'],
]

/** With the length of the prompt as the paper counts it, which leaves out the documentation. */
type CaseMetrics = ProgramMetrics & { promptTokens: number }

interface Measured {
  scenario: string
  cases: CaseMetrics[]
  straight: number
  /** Cases by the number of calls before the if; straight ones are not among them. */
  splits: Map<number, number>
}

async function ofScenario(scenario: Scenario, seed: number): Promise<Measured> {
  const generatedPrograms = [
    ...generate(scenario, { ...defaultOptions, ...getLevel(scenario, defaultLevel), count: programs, seed }),
  ].map(({ program }) => program)
  const translations = generatedPrograms.flatMap((program) => {
    const translation = translate({ program, scenario, seed })
    return translation.status === 'verified' ? [{ program, instruction: translation.instruction }] : []
  })
  const selection = sample(translations, scenario.id, { keep: keptPrograms, seed })
  const cases: CaseMetrics[] = []
  const splits = new Map<number, number>()
  for (const { program, instruction } of selection) {
    const c = createDraftCase({ program, scenario, oracles: [], instruction, flags: [] })
    const [message] = buildProgramPrompt(c, scenario, { prompting: 'direct', documentation: 'none' })
    cases.push({
      ...(await measure(program, { instruction })),
      promptTokens: await countTokens(message?.content ?? ''),
    })
    const at = program.body.filter(isCall).length
    if (program.branch) splits.set(at, (splits.get(at) ?? 0) + 1)
  }
  return {
    scenario: scenario.id,
    cases,
    straight: selection.filter(({ program }) => !program.branch).length,
    splits,
  }
}

type Means = Partial<Record<keyof CaseMetrics, number>>
const meansOf = (cases: readonly CaseMetrics[]): Means =>
  Object.fromEntries(
    rows.map(([metric]) => [metric, cases.reduce((sum, one) => sum + (one[metric] ?? 0), 0) / cases.length]),
  )

export async function run(options: string[]): Promise<Bench> {
  const seed = Number(options[options.indexOf('--seed') + 1]) || 1
  const sets: Measured[] = []
  for (const scenario of scenarios) sets.push(await ofScenario(scenario, seed))
  const all = meansOf(sets.flatMap(({ cases }) => cases))
  const parts = rows.flatMap(([metric, title, row]): BenchPart[] => {
    if (!row) return []
    const ours = all[metric] ?? 0
    const peer = paper[row].StateEval
    return [
      {
        name: `${title} (peer: the paper's StateEval)`,
        unit: 'mean per case',
        ours,
        peer,
        ratio: ours / peer,
      },
    ]
  })
  return {
    about: `Table I of the paper for StateEval’s sets: ${keptPrograms} of ${programs} programs of level ${defaultLevel} for each scenario, seed ${seed}, ${sets.reduce((sum, { cases }) => sum + cases.length, 0)} cases. A ratio closer to 1 is closer to the paper.`,
    parts,
    notes: [
      table(sets, all),
      shape(sets),
      'Code is the reference code in JavaScript without the initialisation block; the template translator wrote StateEval’s instructions, a model wrote the paper’s.',
    ].join('\n\n'),
  }
}

function table(sets: readonly Measured[], all: Means): string {
  const others = Object.keys(paper.functionCalls) as (keyof typeof paper.functionCalls)[]
  const head = [
    'statistics',
    ...sets.map(({ scenario }) => scenario),
    'all three',
    ...others.map((name) => `${name} (paper)`),
  ]
  const cellText = (value: number | undefined) => (value === undefined ? '' : value.toFixed(2))
  const lines = rows.map(([metric, title, row]) => [
    title,
    ...sets.map(({ cases }) => cellText(meansOf(cases)[metric])),
    cellText(all[metric]),
    ...others.map((name) => (row ? cellText(paper[row][name]) : '')),
  ])
  return [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function shape(sets: readonly Measured[]): string {
  const lines = sets.map(({ scenario, cases, straight, splits }) => {
    const after = [...splits].sort(([a], [b]) => a - b).map(([at, count]) => `${count} after call ${at}`)
    return `- ${scenario}: ${straight} of ${cases.length} straight; split ${after.join(', ')}`
  })
  return ['Where programs are split:', '', ...lines].join('\n')
}
