/**
 * The documentation that a prompt may hold, which the paper's has not: an API's operations, or those near the
 * task.
 */
import type { DocumentationMode } from '@stateeval/contracts'
import { isFull } from '@stateeval/openapi'
import { createRng } from '@stateeval/program'
import type { WapiiCase } from '../case.ts'
import type { SpecifiedEndpoints } from '../specification/endpoints.ts'
import type {
  SpecifiedOperation,
  SpecifiedParameter,
  BodyProperty,
  ApiDescription,
} from '../specification/types.ts'

/** How many other operations stand beside the one that the task needs. */
const others = 9

export function buildDocumentation(
  c: WapiiCase,
  endpoints: () => SpecifiedEndpoints,
  mode: DocumentationMode,
): string | null {
  if (mode === 'none') return null
  const api = endpoints()
  const { specification } = api
  const { url, method } = c.task.config
  const all = specification.paths.flatMap(({ template, operations }) =>
    Object.entries(operations).map(([name, operation]) => ({ template, method: name, operation })),
  )
  const selection = mode === 'full' ? all : selectRelevant(all, api.published(url)[0]?.template, method, c.id)
  return [
    `# ${specification.title}`,
    `Server: ${specification.server}${describeAuthentication(specification)}`,
    ...selection.map(describeOperation),
  ].join('\n\n')
}

interface DocumentedOperation {
  template: string
  method: string
  operation: SpecifiedOperation
}
/** The operation that the task needs, among others of the same API, in the document's order. */
function selectRelevant(
  all: readonly DocumentedOperation[],
  template: string | undefined,
  method: string,
  id: string,
): DocumentedOperation[] {
  const needed = all.filter((one) => one.template === template && one.method === method)
  const rest = createRng(`documentation/${id}`).sample(
    all.filter((one) => !needed.includes(one)),
    Math.min(others, all.length - needed.length),
  )
  return all.filter((one) => needed.includes(one) || rest.includes(one))
}
const describeAuthentication = ({ security }: ApiDescription) =>
  security.length
    ? `\nAuthentication: ${[...new Set(security.map(({ in: place, name }) => `${place} ${name}`))].join(' or ')}`
    : ''

const describeTyped = ({ name, type, required, about }: BodyProperty | SpecifiedParameter, place?: string) =>
  `- ${name}${[place, type, required && 'required'].some(Boolean) ? ` (${[place, type, required && 'required'].filter(Boolean).join(', ')})` : ''}${about ? `: ${about}` : ''}`

function describeOperation({
  template,
  method,
  operation: { summary, servers = [], parameters, body },
}: DocumentedOperation): string {
  // The one that tasks use.
  const server = servers.find((address) => isFull(address))
  return [
    `## ${method.toUpperCase()} ${template}`,
    ...(server === undefined ? [] : [`Server: ${server}`]),
    ...(summary ? [summary] : []),
    ...(parameters.length ? [parameters.map((one) => describeTyped(one, one.in)).join('\n')] : []),
    ...(body
      ? [`Body (${body.media}):\n${body.properties.map((one) => describeTyped(one)).join('\n')}`]
      : []),
  ].join('\n')
}
