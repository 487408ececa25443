/** Figures of the StateEval paper, to stand beside ours. */

/**
 * Table I (section IV-C, RQ2): means over the cases, by the names of our metrics. The first is the prompt
 * without API documentation.
 */
export const tableI = {
  benchmarks: ['HumanEval', 'DS-1000', 'BigCodeBench', 'BFCL', 'StateEval'],
  rows: {
    promptTokens: [131.32, 282.42, 144.83, 77.07, 717.08],
    codeTokens: [53.85, 42.06, 112.44, 44.3, 442.11],
    functionCalls: [0.18, 2.07, 3.68, 2.5, 7.16],
    pathDepth: [0.12, 0.37, 0.48, 0, 2],
    bindingCount: [0.05, 1.17, 1.07, 0, 5.03],
  },
} as const

/**
 * Fig. 4 (section IV-D, RQ3): pass@1 over all 120 cases, as the text says; of single scenarios it only tells
 * this one.
 */
export const passRates: readonly {
  model: string
  overall: number
  scenarios: Readonly<Record<string, number>>
}[] = [
  { model: 'GPT-4.1', overall: 0.56, scenarios: { 'tensor-operation': 0.78 } },
  { model: 'Gemini-2.5-Flash', overall: 0.45, scenarios: {} },
  { model: 'GPT-4.1-nano', overall: 0.35, scenarios: {} },
  { model: 'Llama-4-Scout', overall: 0.34, scenarios: {} },
  { model: 'Qwen2.5-Coder', overall: 0.25, scenarios: {} },
]
