/** Remedies by finding: a sentence that names the option that mends the fault. `{value}` is replaced. */
import type { ProbeFinding, FindingId } from '@stateeval/contracts'
import type { RequestManners } from '../dialects/table.ts'

interface FindingRemedy {
  id: FindingId
  found: 'yes' | 'no'
  how?: string
  /** Nothing is off where the model's dialect has this manner already. */
  mended?: keyof RequestManners
  says: string
}

export const remedies: readonly FindingRemedy[] = [
  {
    id: 'tools',
    found: 'no',
    how: 'text',
    says: 'Your server’s tool parser is off, so calls come as text: start the parser (vLLM: --enable-auto-tool-choice with --tool-call-parser), or ask for calls in texts: ComplexFuncBench with --layout {value}, NESTFUL with --setup one-shot.',
  },
  {
    id: 'tools',
    found: 'no',
    how: 'rejected',
    says: 'Your server rejects tools: start it with tool calling (vLLM: --enable-auto-tool-choice with --tool-call-parser; llama.cpp: --jinja), or ask for calls in texts: ComplexFuncBench with --layout qwen, NESTFUL with --setup one-shot.',
  },
  {
    id: 'streamedCalls',
    found: 'no',
    says: 'Streamed answers have no tool calls: set "stream": false in the model’s settings (--model-file).',
  },
  {
    id: 'streaming',
    found: 'no',
    says: 'The endpoint does not stream: set "stream": false in the model’s settings (--model-file).',
  },
  {
    id: 'usage',
    found: 'no',
    says: 'The endpoint reports no usage, so tokens are estimated: choose --budget-tokens and --budget-usd with a reserve.',
  },
  {
    id: 'streamUsage',
    found: 'no',
    says: 'Streamed answers report no usage, so tokens are estimated: set "stream": false in the model’s settings (--model-file).',
  },
  {
    id: 'systemRole',
    found: 'no',
    mended: 'system',
    says: 'The endpoint rejects the role system: its text is sent before the user’s unless the model has --system-role; choose developer or user there, or repeat --probe after a change of the server.',
  },
  {
    id: 'maxTokens',
    found: 'no',
    how: 'ignored',
    mended: 'maxTokens',
    says: 'The endpoint ignores max_tokens: name the limit max_completion_tokens in the model’s parameters (--model-file), or limit answers with --budget-tokens.',
  },
  {
    id: 'jsonSchema',
    found: 'no',
    how: 'rejected',
    mended: 'schema',
    says: 'The endpoint rejects json_schema: schemas are written into the messages, as with --dialect deepseek.',
  },
  {
    id: 'jsonSchema',
    found: 'no',
    how: 'ignored',
    mended: 'schema',
    says: 'The endpoint does not enforce json_schema: choose --dialect anthropic, which writes schemas into the messages.',
  },
  {
    id: 'namedTool',
    found: 'no',
    mended: 'toolChoice',
    says: 'The endpoint takes no named tool: choose --dialect llama.cpp, which sends it as the only one and required.',
  },
  {
    id: 'leftovers',
    found: 'yes',
    says: 'Your server leaves {value} in the text: add "stop": ["{value}"] to the model’s parameters (--model-file), or correct the server’s chat template.',
  },
  {
    id: 'thoughts',
    found: 'yes',
    how: 'text',
    says: 'Your server’s reasoning parser is off, so thoughts are in the text ({value}): start the parser (vLLM: --reasoning-parser), or raise max_tokens in the model’s parameters so that no thought is cut.',
  },
  {
    id: 'temperature',
    found: 'no',
    how: 'rejected',
    says: 'The endpoint rejects temperature, and its default applies: leave temperature out of the model’s parameters, and choose --samples 3 or more.',
  },
  {
    id: 'temperature',
    found: 'no',
    how: 'ignored',
    says: 'Answers differ at temperature 0: choose --samples 3 or more, or repeat an evaluation with --recording.',
  },
  {
    id: 'seed',
    found: 'no',
    says: 'The endpoint does not honour seed: repeat an evaluation with --recording, not with a seed.',
  },
]

/** The finding with its remedy, if something is off that the dialect's manners do not mend. */
export function withRemedy(finding: ProbeFinding, known: RequestManners): ProbeFinding {
  if (finding.found === 'unknown') return finding
  const { id, found, how, value = '' } = finding
  const remedy = remedies.find(
    (one) => one.id === id && one.found === found && (one.how === undefined || one.how === how),
  )
  const manner = remedy?.mended && known[remedy.mended]
  // The role system may be chosen, which is as in OpenAI's API.
  const isMended = manner !== undefined && manner !== 'system'
  return remedy && !isMended ? { ...finding, remedy: remedy.says.replaceAll('{value}', value) } : finding
}
