/**
 * How families of models write a call in their text, where no server has read it as one. A new family is a
 * row. `begins` matches up to the arguments, with the name as its first group; what follows are JSON, or
 * parameters between tags.
 */
export interface CallNotation {
  family: string
  begins: RegExp
  /** Matches the end of the arguments; without it, they end at the next call. */
  ends?: RegExp
  /** Parameters between tags: the name is the first group, the value the second one. */
  parameters?: RegExp
  /** A separate message, which is no text: the addressee distinguishes thoughts from calls. */
  isMessage?: true
  /** The layout of ComplexFuncBench that asks such a model for calls in its text; without it, `qwen`. */
  layout?: TextLayout
  /** The chat template, or the parser of a server, that shows the notation. */
  source: string
}
/** Layouts that ask for calls in text and that other families follow. */
export type TextLayout = 'qwen' | 'llama' | 'glm'

const name = '([\\w.\\-]{1,300})'
const parser = (commit: string, file: string) =>
  `https://github.com/vllm-project/vllm/blob/${commit}/vllm/entrypoints/openai/tool_parsers/${file}_tool_parser.py`

export const callNotations: readonly CallNotation[] = [
  {
    family: 'Llama 3.1 with custom tools, Qwen 3 Coder',
    begins: new RegExp(`<function=${name}>`, 'g'),
    ends: /<\/function>/,
    parameters: /<parameter=([^>\n]{1,300})>\n?([^]*?)\n?(?:<\/parameter>|(?=<parameter=)|$)/g,
    source: parser('0054011d', 'qwen3coder'),
  },
  {
    family: 'DeepSeek V3, R1; Kimi K2',
    begins: new RegExp(
      `<[|｜]tool[▁_]calls?[▁_]begin[|｜]>\\s{0,9}(?:function<[|｜]tool[▁_]sep[|｜]>)?(?:functions\\.)?${name}(?::\\d{1,9})?(?:<[|｜]tool[▁_]sep[|｜]>|<\\|tool_call_argument_begin\\|>|\\n)`,
      'g',
    ),
    ends: /<[|｜]tool[▁_]call[▁_]end[|｜]>/,
    source: parser('061b11dd', 'deepseekv3'),
  },
  {
    family: 'gpt-oss',
    begins: new RegExp(
      `(?:commentary|assistant) {0,3}to=functions\\.${name}(?:<\\|channel\\|>\\w{1,40})?\\s{0,3}(?:<\\|constrain\\|>)?\\s{0,3}(?:json)?\\s{0,3}(?:<\\|message\\|>)?(?=\\s{0,9}\\{)`,
      'g',
    ),
    ends: /<\|(?:call|end|start|return)\|>/,
    isMessage: true,
    source: 'https://github.com/openai/harmony/blob/20cd04c1/docs/format.md',
  },
  {
    family: 'Mistral from version 11 of its tokenizer',
    begins: new RegExp(
      `\\[TOOL_CALLS\\]\\s{0,3}${name}(?:\\[CALL_ID\\]\\w{1,40})?(?:\\[ARGS\\]|(?=\\{))`,
      'g',
    ),
    source: parser('021235c5', 'mistral'),
  },
  {
    family: 'GLM 4.5',
    begins: new RegExp(`<tool_call>\\s{0,9}${name}\\s{0,9}(?=<arg_key>)`, 'g'),
    ends: /<\/tool_call>/,
    parameters:
      /<arg_key>([^<]{1,300})<\/arg_key>\s{0,99}<arg_value>([^]*?)(?:<\/arg_value>|(?=<arg_key>)|$)/g,
    source: parser('0241e7d6', 'glm4_moe'),
  },
  {
    family: 'MiniMax M2, Claude, DeepSeek V3.2',
    begins: new RegExp(`<(?:｜DSML｜)?invoke name="${name}">`, 'g'),
    ends: /<\/(?:｜DSML｜)?invoke>/,
    parameters:
      /<(?:｜DSML｜)?parameter name="([^"\n]{1,300})"[^>\n]{0,100}>([^]*?)(?:<\/(?:｜DSML｜)?parameter>|(?=<(?:｜DSML｜)?parameter name=)|$)/g,
    source: parser('03b44837', 'minimax_m2'),
  },
  {
    family: 'models that are asked as agents (ReAct)',
    begins: new RegExp(`^Action: {0,3}${name}[ \\t]{0,9}\\n+Action Input:(?=\\s{0,9}\\{)`, 'gm'),
    ends: /^(?:Observation|Thought):/m,
    source: 'https://arxiv.org/abs/2210.03629',
  },
]

/**
 * Marks of calls that are whole JSON objects, or have no more than a mark in common. Benchmarks read the
 * objects themselves, so a mark only shows that a text has calls.
 */
interface CallMark {
  mark: string
  layout?: TextLayout
  source: string
}

export const callMarks: readonly CallMark[] = [
  { mark: '<tool_call>', source: parser('836d1f31', 'hermes') },
  { mark: '<|tool_call|>', source: parser('03715c1a', 'granite') },
  { mark: '[TOOL_CALLS]', source: parser('021235c5', 'mistral') },
  { mark: '<|tool_calls_section_begin|>', source: parser('03d5dc96', 'kimi_k2') },
  { mark: '<|python_tag|>', layout: 'llama', source: parser('02de3de7', 'llama') },
  { mark: '"parameters"', layout: 'llama', source: parser('02de3de7', 'llama') },
  {
    mark: '<|observation|>',
    layout: 'glm',
    source: 'https://github.com/ggml-org/llama.cpp/blob/623f3dd0/models/templates/glm_4_5.jinja',
  },
  { mark: '"arguments"', source: parser('836d1f31', 'hermes') },
]
