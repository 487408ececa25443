/** Every operation of every contract, so that a test walks through new ones, too. */
import {
  evaluationOperations,
  executionOperations,
  type HttpOperation,
  type ServiceName,
  scoringOperations,
  traceGenerationOperations,
  translationOperations,
} from '@stateeval/contracts'

const tables: Partial<Record<ServiceName, Record<string, HttpOperation>>> = {
  evaluation: evaluationOperations,
  execution: executionOperations,
  scoring: scoringOperations,
  'trace-generation': traceGenerationOperations,
  translation: translationOperations,
}
/** Instead of examples whose work would go on beside all other tests: bodies that ask for less of it. */
const smallBodies: Readonly<Record<string, object>> = {
  createBenchmark: { build: { scenario: 'session-service', programs: 2, keep: 1, seed: 1 } },
  createGeneration: { ...traceGenerationOperations.createGeneration.example, count: 2 },
}
export const everyOperation = Object.entries(tables).flatMap(([service, operations]) =>
  Object.entries(operations).map(([id, operation]) => ({
    service: service as ServiceName,
    id,
    ...operation,
    ...(id in smallBodies && { example: smallBodies[id] }),
  })),
)
export type Operation = (typeof everyOperation)[number]

/** The names of a path's places: what stands before each, and what it is called. */
export const placesOf = (path: string) =>
  [...path.matchAll(/\/(\w[\w-]*)\/:(\w+)/g)].map(([, before, name]) => `${before}/${name}`)

/** The path with these values in its places. */
export function pathOf({ path }: Operation, values: Readonly<Record<string, string>>): string {
  const places = placesOf(path)
  let at = 0
  return path.replaceAll(/:(\w+)/g, () => {
    const place = places[at++] as string
    const value = values[place]
    if (value === undefined)
      throw new Error(`no test knows a resource for ${place} of ${path}: add one in beforeAll`)
    return encodeURIComponent(value)
  })
}

/** A stream of events ends when it is told to. */
export const queryOf = ({ id }: Operation) => (id === 'followEvaluations' ? '?seconds=1' : '')

/** The paths with each combination of these values in its places. */
export function pathsOf(operation: Operation, values: Readonly<Record<string, readonly string[]>>): string[] {
  let chosen: Record<string, string>[] = [{}]
  for (const place of placesOf(operation.path))
    // A place without values is named by pathOf.
    chosen = chosen.flatMap((one) => values[place]?.map((value) => ({ ...one, [place]: value })) ?? [one])
  return chosen.map((one) => pathOf(operation, one))
}

/** The query as usual, and with each value that the contract lists for one of its parameters. */
export function queriesOf(operation: Operation): string[] {
  const schema: { properties?: Record<string, ListedValues> } = operation.query ?? {}
  const listed = Object.entries(schema.properties ?? {}).flatMap(([name, { enum: all, anyOf }]) =>
    (all ?? anyOf?.map((one) => one.const) ?? [])
      .filter((value) => value !== undefined)
      .map((value) => `?${name}=${encodeURIComponent(String(value))}`),
  )
  return [queryOf(operation), ...listed]
}
interface ListedValues {
  enum?: readonly unknown[]
  anyOf?: readonly { const?: unknown }[]
}
