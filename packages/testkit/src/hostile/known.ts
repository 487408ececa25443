/** Bodies that have held a service for seconds before: each for every operation that has a place for it. */
import { jsonPlaces, replaceInJson } from '../nonsense.ts'
import { encodeRequest } from './draft.ts'
import { type DescribedOperation, describedOperations, type OpenApiDocument } from './operations.ts'
import type { HostileRequest } from './requests.ts'

/** @param part of the size that did harm. Bodies by what they are. */
type KnownBodies = (operation: DescribedOperation, part: number) => Record<string, string>

const text = (value: string) => JSON.stringify(value).slice(1, -1)

/** The example with something behind each of its texts that match. */
const behindTexts = (example: unknown, pattern: RegExp, what: string, more: () => string) =>
  Object.fromEntries(
    [...jsonPlaces(example)].flatMap((place) => {
      const value = (place.holder as Record<string, unknown>)[place.key]
      if (typeof value !== 'string' || !pattern.test(value)) return []
      return [[`${what} in ${place.path}`, replaceInJson(example, place, `"${text(value)}${more()}"`)]]
    }),
  )

const buildListText = (count: number, value: string) => `[${`${value},`.repeat(count)}${value}]`
const all: readonly KnownBodies[] = [
  (_, part) => ({
    'a list of numbers': buildListText(32e6 * part, '1'),
    'lines of {}': '{}\n'.repeat(5e6 * part),
  }),
  ({ example }, part) => behindTexts(example, /\n$/, 'lines of {}', () => text('{}\n').repeat(5e6 * part)),
  ({ example }, part) =>
    behindTexts(example, /^openapi: /, 'anchors', () => {
      const line = (_: unknown, n: number) => text(`a${n}: &a${n} [*a${Math.max(0, n - 1)}]\n`)
      return `${text('a0: &a0 1\n')}${Array.from({ length: 200_000 * part }, line)
        .slice(1)
        .join('')}`
    }),
  ({ id, example }, part): Record<string, string> => {
    if (id !== 'createEvaluation') return {}
    const answers = buildListText(330_000 * part, '{"case":"a","answer":""}')
    return { answers: JSON.stringify(example).replace(/\}$/, `,"answers":${answers}}`) }
  },
  ({ id, example }, part): Record<string, string> => {
    if (id !== 'createScores') return {}
    // As many values as a body may have, and as many as fit.
    const lists = { few: [484_000, `"${'x'.repeat(61)}"`], many: [15.5e6, '1'] } as const
    return Object.fromEntries(
      Object.entries(lists).map(([name, [count, value]]) => [
        `two equal lists of ${name} values`,
        JSON.stringify(example).replaceAll(
          /\{"total":\d\}/g,
          () => `{"total":${buildListText(count * part, value)}}`,
        ),
      ]),
    )
  },
]

/** @param options.part of the sizes, at most 1 */
export function* knownRequests(
  document: OpenApiDocument,
  { part, host }: { part: number; host: string },
): Generator<HostileRequest> {
  let number = 0
  for (const operation of describedOperations(document))
    for (const bodies of operation.example === undefined ? [] : all)
      for (const [what, json] of Object.entries(bodies(operation, part))) {
        const { method, path } = operation
        const ordinary = { isElsewhere: false, isUnfinished: false, isAlone: false }
        const bytes = encodeRequest({
          ...{ ...ordinary, method, version: 'HTTP/1.1', isFramed: false },
          target: path.replaceAll(/\{\w+\}/g, 'nobody'),
          headers: [
            ['host', host],
            ['content-type', 'application/json'],
          ],
          body: Buffer.from(json),
        })
        yield { ...ordinary, number: number++, operation, what, bytes, manner: 'whole', isHead: false }
      }
}
