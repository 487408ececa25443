/** The parts of an API documentation that a task needs, cut out of the whole. */
import type { Case, DocumentationMode } from '@stateeval/contracts'
import { createRng, isCall, type Scenario, listWrittenSteps } from '@stateeval/program'

/**
 * How many APIs that the task does not need stand among those that it needs, so that a section is no proof of
 * being needed.
 */
const distractors = 1

/**
 * `full`: all of it. `relevant`: the sections of the APIs that the reference calls on any path, and that of
 * another one, drawn by the case's id; what belongs to no API stays. `none`: nothing. A section is a heading
 * that begins with the name of an API, with all that follows up to the next heading of its rank; a
 * documentation without such headings stays whole.
 */
export function selectDocumentation(
  c: Case,
  scenario: Scenario,
  documentation: string,
  mode: DocumentationMode,
): string | null {
  if (mode === 'none') return null
  if (mode === 'full') return documentation
  const sections = splitSections(
    documentation,
    scenario.operations.map(({ id }) => id),
  )
  const documented = [...new Set(sections.flatMap(({ api }) => api ?? []))]
  const used = new Set(listWrittenSteps(c.program).flatMap((step) => (isCall(step) ? [step.api] : [])))
  const others = createRng(`documentation/${c.id}`).sample(
    documented.filter((api) => !used.has(api)),
    distractors,
  )
  const apis = new Set([...used, ...others])
  return sections
    .filter(({ api }) => api === null || apis.has(api))
    .map(({ text }) => text)
    .join('\n')
}

function splitSections(
  documentation: string,
  apis: readonly string[],
): { api: string | null; text: string }[] {
  const sections: { api: string | null; rank: number; lines: string[] }[] = [
    { api: null, rank: 0, lines: [] },
  ]
  let fenced = false
  for (const line of documentation.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    const heading = fenced ? null : /^(#{1,6})\s+[`*]*([\w.-]+)/.exec(line)
    const now = sections.at(-1)!
    if (heading) {
      const [rank, name] = [(heading[1] as string).length, heading[2] as string]
      const api = apis.includes(name) ? name : null
      if (api !== null || (now.api !== null && rank <= now.rank)) sections.push({ api, rank, lines: [] })
    }
    sections.at(-1)!.lines.push(line)
  }
  return sections.map(({ api, lines }) => ({ api, text: lines.join('\n') }))
}
