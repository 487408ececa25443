/**
 * How options of difficulty steer programs: what each asks for, what the programs have, and how many are
 * drawn for one that is kept. And the paper's Table I for each level. Options: --seeds N (20), --programs N
 * (2 of each seed).
 */
import { createDraftCase } from '@stateeval/benchmark-stateeval/case'
import { buildProgramPrompt } from '@stateeval/benchmark-stateeval/prompt'
import { defaultOptions, generate, type GenerateOptions } from '@stateeval/generate'
import {
  countBindings,
  countTokens,
  getLevel,
  isCall,
  listExecutionPaths,
  listIfs,
  listReferences,
  listWrittenSteps,
  measure,
  measurePathDepth,
  type Scenario,
} from '@stateeval/program'
import { scenarios } from '@stateeval/scenarios'
import { translate } from '@stateeval/translate'
import type { Program } from '@stateeval/contracts'
import type { Bench, BenchPart } from './result.ts'

interface DrawnSet {
  programs: Program[]
  /** Programs drawn for each that was kept. */
  price: number
}

function draw(scenario: Scenario, options: Partial<GenerateOptions>, seeds: number, count: number): DrawnSet {
  const programs: Program[] = []
  let dropped = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const generation = generate(scenario, { ...defaultOptions, ...options, seed, count })
    for (let next = generation.next(); ; next = generation.next()) {
      if (next.done) {
        for (const drops of Object.values(next.value.drops)) dropped += drops
        break
      }
      programs.push(next.value.program)
    }
  }
  return { programs, price: programs.length === 0 ? Infinity : (programs.length + dropped) / programs.length }
}

const listCounts = (programs: readonly Program[]) =>
  programs.flatMap((program) => listExecutionPaths(program).map(({ steps }) => steps.filter(isCall).length))
function countUnread(program: Program): number {
  const read = new Set(
    listWrittenSteps(program)
      .flatMap(listReferences)
      .map(({ variable }) => variable),
  )
  return program.variables.filter(({ name, role }) => role === 'user' && !read.has(name)).length
}

/** Each dial with the values that are asked for, and what is measured of a program. */
const dials: readonly {
  name: string
  asked: readonly (readonly [text: string, options: Partial<GenerateOptions>])[]
  obtain: (programs: readonly Program[]) => number[]
}[] = [
  {
    name: 'length',
    asked: [3, 6, 10, 16].map((length) => [String(length), { length }] as const),
    obtain: listCounts,
  },
  {
    name: 'path-depth',
    asked: [1, 2, 3, 4].map((depth) => [String(depth), { length: 8, pathDepth: { min: depth, max: depth } }]),
    obtain: (programs) => programs.map(measurePathDepth),
  },
  {
    name: 'bindings',
    asked: [3, 6, 9, 12].map((count) => [String(count), { length: 8, bindings: { min: count, max: count } }]),
    obtain: (programs) => programs.map(countBindings),
  },
  {
    name: 'branches',
    asked: [0, 0.5, 1, 1.5, 2, 3].map((branches) => [String(branches), { branches }]),
    obtain: (programs) => programs.map((program) => listIfs(program).length),
  },
  {
    name: 'distractors',
    asked: [0, 2, 4].map((distractors) => [String(distractors), { distractors }]),
    obtain: (programs) => programs.map(countUnread),
  },
]

const computeMean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
const formatTable = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map((_, at) => (at < 2 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

const levelColumns = [
  ['promptTokens', 'prompt'],
  ['instructionTokens', 'instruction'],
  ['codeTokens', 'code'],
  ['releasedCodeTokens', 'code, Python'],
  ['functionCalls', 'calls'],
  ['pathDepth', 'depth'],
  ['releasedPathDepth', 'depth, released'],
  ['bindingCount', 'bindings'],
  ['releasedBindingCount', 'bindings, released'],
] as const

async function measureLevel(scenario: Scenario, { programs, price }: DrawnSet): Promise<string[]> {
  const metrics: Record<string, number>[] = []
  for (const program of programs) {
    const translation = translate({ program, scenario, seed: 1 })
    if (translation.status !== 'verified') continue
    const { instruction } = translation
    const c = createDraftCase({ program, scenario, oracles: [], instruction, flags: [] })
    const [message] = buildProgramPrompt(c, scenario, { prompting: 'direct', documentation: 'none' })
    metrics.push({
      ...(await measure(program, { instruction })),
      promptTokens: await countTokens(message?.content ?? ''),
    })
  }
  return [
    ...levelColumns.map(([name]) => computeMean(metrics.map((one) => one[name] ?? 0)).toFixed(2)),
    price.toFixed(2),
  ]
}

const readNumber = (options: readonly string[], name: string, usual: number) =>
  (options.includes(name) && Number(options[options.indexOf(name) + 1])) || usual

export async function run(options: string[]): Promise<Bench> {
  const seeds = readNumber(options, '--seeds', 20)
  const count = readNumber(options, '--programs', 2)
  const steering: string[][] = []
  const levels: string[][] = []
  const parts: BenchPart[] = []
  for (const scenario of scenarios) {
    for (const { name, asked, obtain } of dials)
      for (const [text, options] of asked) {
        const { programs, price } = draw(scenario, options, Math.ceil(seeds / 4), 2 * count)
        const values = obtain(programs)
        const spread = values.length === 0 ? 'none' : `${Math.min(...values)} to ${Math.max(...values)}`
        steering.push([
          scenario.id,
          name,
          text,
          computeMean(values).toFixed(2),
          spread,
          String(programs.length),
          price.toFixed(2),
        ])
      }
    for (const level of [1, 2, 3, 4, 5]) {
      const set = draw(scenario, getLevel(scenario, level), seeds, count)
      levels.push([scenario.id, String(level), ...(await measureLevel(scenario, set))])
      parts.push({
        name: `${scenario.id}, level ${level}: programs drawn for each kept`,
        unit: 'programs',
        ours: set.price,
      })
    }
  }
  const paper = [
    'the paper',
    '',
    '717.08',
    '',
    '442.11',
    '442.11',
    '7.16',
    '2.00',
    '2.00',
    '5.03',
    '5.03',
    '',
  ]
  return {
    about: `Options of difficulty: ${count} programs of each of ${seeds} seeds for a level, ${2 * count} of each of ${Math.ceil(seeds / 4)} seeds for a value of one option. Distractors obtained are variables of the user that no step reads; a few are there without any.`,
    parts,
    notes: [
      'Table I for each level of difficulty, means; level 3 is the default:',
      formatTable(
        ['scenario', 'level', ...levelColumns.map(([, title]) => title), 'drawn'],
        [...levels, paper],
      ),
      'One option at a time. Depth and bindings are asked for exactly, in programs of eight calls:',
      formatTable(['scenario', 'option', 'asked', 'mean', 'spread', 'programs', 'drawn'], steering),
    ].join('\n\n'),
  }
}
