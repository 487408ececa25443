/**
 * The prompt: what a composer of calls does, the format, the APIs, examples, the query (section 5.2; README,
 * published behaviour 12).
 */
import type { EpisodeOptions, Message, ModelTool } from '@stateeval/contracts'
import { families, type AnswerFamily } from '../answer/released.ts'
import type { CaseApis } from '../apis.ts'
import {
  type SolvedExample,
  type GoldCall,
  getLabel,
  type NestfulCase,
  withoutSpecification,
} from '../case.ts'
import { checkSample } from '../dataset/check.ts'
import { readWhole } from '../python/read.ts'
import { PyDict, formatPyJson, type PyValue, formatPyStr } from '../python/value.ts'
import { describeShape } from '@stateeval/program'
import { stripDollars } from '../references.ts'
import { formatAnswerOfFamily, formatText } from './answer-format.ts'
import { listApis, estimateTokensSafely } from './api-list.ts'
import { buildNestfulTools } from './tools.ts'

/**
 * With three, one or no examples; `tools` calls tools natively; `program` answers fresh cases by a program.
 */
export const setups = ['three-shot', 'one-shot', 'zero-shot', 'tools', 'program'] as const
type PromptSetup = (typeof setups)[number]
export const layouts = families

const shots: Readonly<Record<PromptSetup, number>> = {
  'three-shot': 3,
  'one-shot': 1,
  'zero-shot': 0,
  tools: 0,
  program: 0,
}
export const getPromptSetup = ({ setup = setups[0] }: EpisodeOptions) => setup as PromptSetup
export const getFamily = ({ layout = layouts[0] }: EpisodeOptions) => layout as AnswerFamily

const composing = [
  'You compose calls of functions. You get a request and a set of functions, and you answer with the sequence of calls that fulfils the request.',
  'The result of a call can be an argument of a later call: write it as $LABEL.OUTPUT$, where LABEL is the label of the earlier call without its dollar sign and OUTPUT is one of the output parameters of its function.',
  'Call every function that is needed to get a value that the request does not give. If no function fits, or a required parameter cannot be found, answer with an empty list.',
]

export function buildNestfulPrompt(
  c: NestfulCase,
  apis: CaseApis,
  options: EpisodeOptions,
): { messages: Message[]; tools?: ModelTool[] } {
  const { documentation: mode = 'full' } = options
  const [setup, family] = [getPromptSetup(options), getFamily(options)]
  if (setup === 'tools') {
    const listed = listApis(c, apis, { examples: [], rest: estimateTokensSafely(c.instruction) + 300, mode })
    return { messages: buildNativeMessages(c), tools: buildNestfulTools(listed) }
  }
  const examples = apis.examples
    .filter((example) => example.case !== c.id && !isContradicting(example, apis))
    .slice(0, shots[setup])
  const exampleTexts = examples.map((example, at) => formatExample(example, at, family))
  const rules = [
    ...composing,
    `Answer with the calls alone, in this format, without any other text:\n${formatText(family, getLabel(c, 1))}`,
  ].join('\n')
  const rest = estimateTokensSafely([rules, ...exampleTexts, c.instruction].join('\n'))
  const listed = listApis(c, apis, { examples, rest, mode })
  const parts = [
    rules,
    // The functions come first: cases of a set share them, so that model servers can reuse the read prompt.
    ...(listed.length > 0 ? [`The functions:\n[${listed.map((api) => api.shown).join(', ')}]`] : []),
    ...formatVariables(c),
    ...(exampleTexts.length > 0 ? [`Here are some examples:\n${exampleTexts.join('\n')}`] : []),
  ]
  return {
    messages: [
      { role: 'system', content: parts.join('\n\n') },
      { role: 'user', content: c.instruction },
    ],
  }
}

/** A fresh case has variables, whose values are never shown, and results without declared outputs. */
function formatVariables({ task: { truth } }: NestfulCase): string[] {
  if (!truth) return []
  const names = truth.program.variables.map(({ name, values }) => `${name} (${describeShape(values[0])})`)
  return [
    'Results are JSON: write $var1$ for the whole result of the call with the label var1, and a path for a part of it, such as $var1[0].id$. What the request asks to return needs no further call.',
    ...(names.length > 0
      ? [
          `These variables have values, given with their types as TypeScript writes them: ${names.join(', ')}. Write $NAME$ for a variable, and $NAME.MEMBER$ for a part of it.`,
        ]
      : []),
  ]
}

/** Caches by library: the examples whose calls their specifications there would refuse. */
const contradicting = new WeakMap<CaseApis, Map<SolvedExample, boolean>>()
function isContradicting(example: SolvedExample, caseApis: CaseApis): boolean {
  const known = contradicting.get(caseApis) ?? new Map<SolvedExample, boolean>()
  contradicting.set(caseApis, known)
  const before = known.get(example)
  if (before !== undefined) return before
  const calls = parseExampleCalls(readWhole(example.output))
  // Calls without a specification in the prompt contradict none.
  const faults = checkSample({ calls, faults: [] }, caseApis.apis).faults.filter(
    (fault) => !fault.includes(withoutSpecification),
  )
  known.set(example, faults.length > 0)
  return faults.length > 0
}
const parseExampleCalls = (output: PyValue): GoldCall[] =>
  (output as PyDict[]).map((call) => ({
    name: formatPyStr(call.get('name') ?? ''),
    label: formatPyStr(call.get('label') ?? ''),
    arguments: formatPyJson(call.get('arguments') ?? new PyDict()),
  }))

const formatExample = ({ input, output }: SolvedExample, at: number, family: AnswerFamily) =>
  `#Example-${at + 1}\nInput: ${input}\nOutput: ${formatAnswerOfFamily(readWhole(output) as PyDict[], family)}`

const buildNativeMessages = (c: NestfulCase): Message[] => [
  {
    role: 'system',
    content: [
      'Call the functions that fulfil the request, all of them in one answer and in order.',
      `The result of a call can be an argument of a later one: write the text $${stripDollars(getLabel(c, 'N'))}.OUTPUT$, where N is the number of the earlier call, from 1, and OUTPUT is one of the output parameters that its description names.`,
      ...formatVariables(c),
    ].join('\n'),
  },
  { role: 'user', content: c.instruction },
]
