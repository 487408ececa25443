/** The benchmark in this process, with the sample or any lines in the published format. */
import type { Benchmark } from '@stateeval/program'
import type { ComplexCase } from '../case.ts'
import { importConversations } from '../dataset/from-dataset.ts'
import { complexfuncbench } from '../index.ts'
import { conversations, longConversation } from '../sample/index.ts'

export interface Here {
  benchmark: Benchmark<ComplexCase>
  cases: ComplexCase[]
}

export function hereWith(files: Readonly<Record<string, string>>): Here {
  const { lines, artifacts } = importConversations(files)
  const benchmark = complexfuncbench({
    scenario: () => {
      throw new Error('no scenario is needed')
    },
    artifact: (hash) => artifacts[hash]!,
  })
  return { benchmark, cases: lines.map((line) => benchmark.parse(line)) }
}

export const sampleFiles = {
  'conversations.jsonl': conversations,
  'long.jsonl': longConversation,
}
