/**
 * What cases test: each call, argument, constant, index and field of a program changed alone, and random
 * mutants of all operators, run on the state machine and judged by the benchmark's own comparison. Options:
 * --count N (40 programs of each scenario and seed), --mutants N (1200 of each scenario), --seeds A,B,… (1
 * and three others), --difficulty N and --branches N (programs like that; printed only).
 */
import {
  copiedOutput,
  createRng,
  getLevel,
  mutate,
  mutationOperators,
  type Scenario,
  tellingOperators,
} from '@stateeval/program'
import type { GenerateOptions } from '@stateeval/generate'
import { scenarios } from '@stateeval/scenarios'
import { answersOn, differs, type Example, examples, furtherRuns } from './mistakes/cases.ts'
import type { Bench, BenchPart } from './result.ts'

const [furtherCount, perProgram] = [20, 10]

interface Counts {
  caught: number
  near: number
  far: number
  equivalent: number
}

export function run(options: string[]): Promise<Bench> {
  const option = (name: string, otherwise: string) =>
    (options.includes(name) ? options[options.indexOf(name) + 1] : undefined) ?? otherwise
  const [count, mutants] = [Number(option('--count', '40')), Number(option('--mutants', '1200'))]
  const seeds = option('--seeds', '1,1009,20260,777001').split(',').map(Number)
  const level = Number(option('--difficulty', '0'))
  const branches = Number(option('--branches', '0'))
  const parts: BenchPart[] = []
  const notes: string[] = []
  for (const scenario of scenarios) {
    const difficulty = {
      ...(level > 0 && getLevel(scenario, level)),
      ...(branches > 0 && { branches }),
    }
    const all = seeds.map((seed) => ({ seed, alone: changedAlone(scenario, seed, count, difficulty) }))
    for (const { seed, alone } of all)
      parts.push({
        name: `${scenario.id}, single changes, seed ${seed} (${alone.sites} changes)`,
        unit: 'share caught',
        ours: 1 - alone.missed.length / alone.sites,
        peer: 0.99,
        ratio: (1 - alone.missed.length / alone.sites) / 0.99,
        aim: 1,
      })
    const copies = seeds.map((seed) => ({ seed, ...copiesOf(scenario, seed, count, difficulty) }))
    const inOneWorld = seeds.map((seed) =>
      copiesOf(scenario, seed, count, { ...difficulty, secondWorlds: false }),
    )
    const shareOf = (some: readonly { sites: number; missed: readonly string[] }[]) =>
      1 -
      some.reduce((sum, one) => sum + one.missed.length, 0) / some.reduce((sum, one) => sum + one.sites, 0)
    parts.push({
      name: `${scenario.id}, a call replaced by its true output, with second worlds (peer: with one world)`,
      unit: 'share caught',
      ours: shareOf(copies),
      peer: shareOf(inOneWorld),
      ratio: shareOf(copies),
      aim: 1,
    })
    const copied = copies.flatMap(({ seed, missed }) => missed.map((where) => `  - seed ${seed}, ${where}`))
    if (copied.length > 0)
      notes.push([`Outputs of ${scenario.id} that can stand for their calls:`, '', ...copied].join('\n'))
    const missed = all.flatMap(({ seed, alone }) => alone.missed.map((where) => `  - seed ${seed}, ${where}`))
    if (missed.length > 0)
      notes.push([`Changes of ${scenario.id} that no input detects:`, '', ...missed].join('\n'))
    const byOperator = scoresOf(scenario, mutants, difficulty)
    const total = sum([...byOperator.values()])
    const score = total.caught / (total.caught + total.near + total.far)
    parts.push({
      name: `${scenario.id}, mutation score, further inputs near and far (peer: near only)`,
      unit: 'share caught',
      ours: score,
      peer: total.caught / (total.caught + total.near),
      ratio: score / 0.98,
      aim: 1,
    })
    notes.push(tableOf(scenario, byOperator, total))
  }
  return Promise.resolve({
    about: `Mistakes that cases catch on their own inputs: ${count} programs of each scenario and seed, ${mutants} random mutants of each scenario.`,
    parts,
    notes: [
      'Single changes: ' +
        `${tellingOperators.map(({ id }) => `\`${id}\``).join(', ')} at every position. Random mutants are drawn from all operators. A mutant that no input of its case detects is equivalent only if it agrees with the reference on ${furtherCount} further inputs. ` +
        'Near inputs have other values in similar worlds; far inputs have more matches and non-matches, and other values, lengths and shapes. A mutant that only far inputs detect counts as missed. ' +
        'The few undetected changes of tensors give the same elements: a part of a joined tensor is the original tensor, or a later call uses only the part that both variants share. The state machine distinguishes tensors by equations, which cover most of these cases. ' +
        'A condition on another tensor’s least or largest element is missed if both have it at the same position, because one has the other’s elements in the same order, or by chance in both worlds.',
      ...notes,
    ].join('\n\n'),
    ...((level > 0 || branches > 0) && { partial: true as const }),
  })
}

/** Every change of one thing, and those that no input of the case shows. */
export function changedAlone(
  scenario: Scenario,
  seed: number,
  count: number,
  options: Partial<GenerateOptions> = {},
) {
  const missed: string[] = []
  let sites = 0
  for (const example of examples(scenario, seed, count, options))
    for (const operator of tellingOperators)
      for (const site of operator.sites(example.program, example.facts)) {
        sites++
        const mutant = site.change(createRng('mistakes'))
        if (!differs(mutant, scenario, example, example.runs))
          missed.push(`program ${example.program.id.slice(0, 12)}, ${operator.id}, ${site.where}`)
      }
  return { sites, missed }
}

/**
 * Every call with what it truly answers on one of its case's inputs in its place, and those that no input
 * shows.
 */
export function copiesOf(scenario: Scenario, seed: number, count: number, options: Partial<GenerateOptions>) {
  const missed: string[] = []
  let sites = 0
  for (const example of examples(scenario, seed, count, options))
    for (const [n, answers] of answersOn(example, scenario).entries())
      for (const site of copiedOutput.sites(example.program, { ...example.facts, answers })) {
        sites++
        if (!differs(site.change(createRng('copies')), scenario, example, example.runs))
          missed.push(`program ${example.program.id.slice(0, 12)}, input ${n}, ${site.where}`)
      }
  return { sites, missed }
}

/** Random mutants of all operators, and what became of them. */
export function scoresOf(
  scenario: Scenario,
  mutants: number,
  options: Partial<GenerateOptions> = {},
): Map<string, Counts> {
  const byOperator = new Map<string, Counts>()
  for (const example of examples(scenario, 3, Math.ceil(mutants / perProgram), options)) {
    let further: { near: Example['runs']; far: Example['runs'] } | undefined
    for (let n = 0; n < perProgram; n++) {
      const { program, facts } = example
      const mutation = mutate(program, createRng(`${program.id}/${n}`), mutationOperators, facts)
      if (!mutation) continue
      const counts = byOperator.get(mutation.operator) ?? { caught: 0, near: 0, far: 0, equivalent: 0 }
      byOperator.set(mutation.operator, counts)
      if (differs(mutation.program, scenario, example, example.runs)) {
        counts.caught++
        continue
      }
      further ??= {
        near: furtherRuns(example, scenario, false, furtherCount),
        far: furtherRuns(example, scenario, true, furtherCount),
      }
      if (differs(mutation.program, scenario, example, further.near)) counts.near++
      else if (differs(mutation.program, scenario, example, further.far)) counts.far++
      else counts.equivalent++
    }
  }
  return byOperator
}

export const sum = (all: readonly Counts[]) =>
  all.reduce(
    (total, one) => ({
      caught: total.caught + one.caught,
      near: total.near + one.near,
      far: total.far + one.far,
      equivalent: total.equivalent + one.equivalent,
    }),
    { caught: 0, near: 0, far: 0, equivalent: 0 },
  )

function tableOf({ id }: Scenario, byOperator: ReadonlyMap<string, Counts>, total: Counts): string {
  const rows = mutationOperators.flatMap(({ id: operator }) => {
    const counts = byOperator.get(operator)
    return counts ? [rowOf(operator, counts)] : []
  })
  return [
    `Mutants of ${id}:`,
    '',
    '| operator | caught | missed, shown near | missed, shown far off only | equivalent | score, near | score, near and far |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    rowOf('all', total),
  ].join('\n')
}

const rowOf = (name: string, { caught, near, far, equivalent }: Counts) => {
  const share = (missed: number) => (caught + missed > 0 ? (caught / (caught + missed)).toFixed(3) : '')
  return `| ${[name, caught, near, far, equivalent, share(near), share(near + far)].join(' | ')} |`
}
