/** Tool calls that stand in a text because no parser of the server took them out. */

interface CallMark {
  mark: string
  /** The layout of a benchmark that reads calls in a text like this. */
  layout: string
  source: string
}

const vllm = 'https://docs.vllm.ai/en/latest/features/tool_calling.html'

/** A text that has one of these has calls; layouts are those of ComplexFuncBench that read texts. */
export const callMarks: readonly CallMark[] = [
  { mark: '<tool_call>', layout: 'qwen', source: vllm },
  { mark: '<function=', layout: 'qwen', source: vllm },
  { mark: '<|tool_call|>', layout: 'qwen', source: vllm },
  { mark: '[TOOL_CALLS]', layout: 'qwen', source: vllm },
  { mark: '<｜tool▁calls▁begin｜>', layout: 'qwen', source: vllm },
  { mark: '<|tool_calls_section_begin|>', layout: 'qwen', source: vllm },
  { mark: '<|python_tag|>', layout: 'llama', source: vllm },
  { mark: '"parameters"', layout: 'llama', source: vllm },
  { mark: '<|observation|>', layout: 'glm', source: 'https://github.com/THUDM/GLM-4' },
  { mark: '"arguments"', layout: 'qwen', source: vllm },
]

/** The layout that reads the calls of a tool in a text; null if it has none. */
export function layoutOfCalls(text: string, tool: string): string | null {
  // Words about a tool are no call.
  if (!text.includes(tool)) return null
  return callMarks.find(({ mark }) => text.includes(mark))?.layout ?? null
}
