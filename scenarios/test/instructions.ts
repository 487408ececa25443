/** Instructions of programs as builds draw them, and pages of them for people to read. */
import { defaultOptions, generate, type GenerateOptions } from '@stateeval/generate'
import { emit, type Scenario } from '@stateeval/program'
import { translate } from '@stateeval/translate'

interface Instructed {
  instruction: string
  code: string
}

/**
 * Programs with their instructions, in the order in which they are drawn; throws where a program has none.
 */
export function* instructions(
  scenario: Scenario,
  options: Partial<GenerateOptions> & Pick<GenerateOptions, 'count'>,
): Generator<Instructed, void, void> {
  for (const { program } of generate(scenario, { ...defaultOptions, ...options })) {
    const translation = translate({ program, scenario, seed: options.seed ?? 1 })
    if (translation.status !== 'verified') throw new Error(`${program.id}: ${translation.reason}`)
    yield { instruction: translation.instruction, code: emit(program, 'javascript') ?? '' }
  }
}

/** The page of a scenario: 25 programs of five calls, and five of twelve. */
export function formatInstructionPage(scenario: Scenario): string {
  const examples = [
    ...instructions(scenario, { count: 25, seed: 1 }),
    ...instructions(scenario, { count: 5, seed: 1, length: 12 }),
  ]
  const sections = examples.map(
    ({ instruction, code }, index) =>
      `## ${index + 1}\n\n${instruction}\n\n<details><summary>Program</summary>\n\n\`\`\`javascript\n${code.trim()}\n\`\`\`\n\n</details>\n`,
  )
  return `# Instructions: ${scenario.title}\n\n${sections.join('\n')}`
}
