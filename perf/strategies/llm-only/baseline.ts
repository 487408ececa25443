/** The LLM-only baseline: a model's programs from the documentation alone, and the adjacent pairs that they hold. */
import type { Scenario } from '@stateeval/program'
import { type ModelClient, costUsd } from '@stateeval/models'
import { analyse, type Analysis } from './analyse.ts'
import { answersInFile } from './answers-file.ts'
import { type Asked, askForPrograms, newAsking } from './ask.ts'
import type { LlmOnlyOptions } from './options.ts'
import { promptFor } from './prompt.ts'

export interface Baseline {
  /** The model's name. */
  model: string
  /** Distinct adjacent pairs after each program. */
  adjacent: readonly number[]
  /** How it came about, in Markdown. */
  about: string
}

/** Baselines of all scenarios, by their ids. `length`: calls on each path, as the generator's programs have. */
export async function llmOnlyOf(
  scenarios: readonly Scenario[],
  length: number,
  options: LlmOnlyOptions,
  client: ModelClient,
) {
  const { model, programs, queries, budget, answers } = options
  const wrong = await client.check(model.settings)
  if (wrong !== null) throw new Error(`--model ${model.name}: ${wrong}`)
  const asking = newAsking(client.ask, await answersInFile(answers), budget)
  const baselines = new Map<string, Baseline>()
  for (const scenario of scenarios) {
    const question = {
      model,
      prompt: promptFor(scenario, length),
      programs,
      queries,
      read: (code: string) => read(code, scenario, length),
    }
    const questionResult = await askForPrograms(asking, question)
    baselines.set(scenario.id, {
      model: model.name,
      adjacent: growth(questionResult.programs),
      about: aboutOf(model.name, questionResult, programs),
    })
  }
  const { requests, promptTokens, completionTokens } = asking.usage
  const cost = costUsd(asking.usage, model.settings.prices)
  const usageText = `${model.name} was sent ${requests} requests in this run: ${promptTokens} prompt and ${completionTokens} completion tokens${cost === null ? '' : `, $${cost.toFixed(2)}`}. Answers of earlier runs are taken from where they are kept.`
  return { baselines: baselines as ReadonlyMap<string, Baseline>, used: usageText }
}

/** A program that the generator could not make either is not counted: it might hold more pairs than any that keeps to the rules. */
function read(code: string, scenario: Scenario, length: number): Analysis | { unusable: string } {
  const analysis = analyse(code, scenario, length)
  if (!analysis) return { unusable: 'is no JavaScript' }
  const [first] = analysis.breaks
  return first === undefined ? analysis : { unusable: first }
}

function growth(programs: readonly Analysis[]): number[] {
  const seenPairs = new Set<string>()
  return programs.map(({ adjacent }) => {
    for (const pair of adjacent) seenPairs.add(pair)
    return seenPairs.size
  })
}

function aboutOf(
  name: string,
  { programs, queries, unusable, unanswered, stopped }: Asked<Analysis>,
  target: number,
): string {
  const distinct = new Set(programs.map(({ paths }) => paths.map((calls) => calls.join()).join(';'))).size
  const reasons = [...unusable].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count} ${reason}`)
  const unusableAnswers = [...unusable.values()].reduce((sum, count) => sum + count, 0)
  return (
    [
      `\`llm-only\` (${name}): ${programs.length} programs${programs.length < target ? ` of ${target}` : ''} from ${queries} questions, ${distinct} distinct sequences of calls among them`,
      `${unusableAnswers} answers without a usable program${unusableAnswers > 0 ? ` (of these, counted by the first thing that is wrong: ${reasons.join('; ')})` : ''}`,
      ...(unanswered > 0 ? [`${unanswered} questions without an answer`] : []),
      ...(stopped === null ? [] : [`ended early: ${stopped}`]),
    ].join('; ') + '.'
  )
}
