/**
 * The prompt: documentation, variables by name and type, instruction, and the rules of candidate code. One
 * user message, as the paper's.
 */
import type { Case, EpisodeOptions, Language, Message, Prompting } from '@stateeval/contracts'
import { documentProgramApis, type Scenario } from '@stateeval/program'
import { selectDocumentation } from './documentation.ts'
import { formatExamples } from './examples.ts'
import { getApiKind, listScenarioRules, rulesOf } from './rules.ts'

export const promptings: readonly Prompting[] = ['direct', 'cot', 'reflect', 'few-shot']
export const isSupported = (language: Language) => rulesOf[language] !== undefined

/** Builds the prompt. Values of variables and the oracle never stand in it. */
export function buildProgramPrompt(c: Case, scenario: Scenario, options: EpisodeOptions): Message[] {
  const { language = 'javascript', prompting, documentation: mode = 'full', examples = [] } = options
  const rules = rulesOf[language]
  if (!rules) throw new RangeError(`the benchmark has no prompt for ${language}`)
  if (!promptings.includes(prompting))
    throw new RangeError(`prompting is one of ${promptings.join(', ')}, not ${prompting}`)
  const documentation = selectDocumentation(
    c,
    scenario,
    documentProgramApis(c.program, scenario, language),
    mode,
  )
  const http = getApiKind(scenario) === 'http'
  const caseVariables = c.variables.map(({ name, type }) => `- \`${name}\`: ${type}`)
  const variables = [...caseVariables, ...(http ? ['- `BASE_URL`: string, the address of the service'] : [])]
  const content = [
    `Write one ${rules.name} program that does what the instruction says by calling the ${documentation === null ? `API of the ${scenario.title.toLowerCase()}` : 'documented API'}.`,
    documentation === null
      ? `## API documentation\n\nThere is none here: use what you know of ${http ? 'this service' : 'it'}.`
      : `## API documentation\n\n${documentation.trim()}`,
    ...(prompting === 'few-shot' && examples.length > 0
      ? [formatExamples(examples as Case[], language)]
      : []),
    `## Variables\n\nThese variables have values when the program starts. Each is given with its type, as TypeScript writes it:\n\n${variables.join('\n')}`,
    `## Instruction\n\n${c.instruction.trim()}`,
    `## Rules\n\n${listScenarioRules(rules, scenario)
      .map((rule) => `- ${rule}`)
      .join('\n')}`,
    `## Answer\n\n${prompting === 'cot' ? describeThinking(rules.fence, http) : describeDirect(rules.fence)}`,
  ].join('\n\n')
  return [{ role: 'user', content }]
}

const describeDirect = (fence: string) =>
  `Answer with the program in one fenced code block that begins with \`\`\`${fence}, and nothing else.`
const describeThinking = (fence: string, http: boolean) =>
  `First think step by step: list the calls in order, what each needs from the ${http ? 'responses' : 'results'} before it, ${http ? 'what each changes in the service' : 'what each gives'}, and what RESULT holds. Then give the whole program in one fenced code block that begins with \`\`\`${fence}, as the last thing of your answer.`
