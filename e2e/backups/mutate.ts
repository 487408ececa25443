/** Backups as a stranger might change them: fields, types, sizes, references, ids, order. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { type BackupChunk, type BackupDocument, type CollectionName, sha256 } from '@stateeval/contracts'
import fc from 'fast-check'

/** Lines by collection. */
export type Backup = ReadonlyMap<CollectionName, readonly string[]>

/** Numbers that choose a place; each is taken modulo what there is to choose from. */
interface Choice {
  kind: (typeof kinds)[number]
  collection: number
  document: number
  place: number
  value: number
}
const kinds = [
  'replace',
  'replace',
  'replace',
  'remove',
  'add',
  'id',
  'text',
  'swap',
  'drop',
  'repeat',
  'piece',
  'artifact',
  'artifact',
] as const
export const choices: fc.Arbitrary<Choice> = fc.record({
  kind: fc.constantFrom(...kinds),
  collection: fc.nat(),
  document: fc.nat(),
  place: fc.nat(),
  value: fc.nat(),
})

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

/** Every place of a value: its keys from the top. */
function placesIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [
    [key],
    ...placesIn(member).map((below) => [key, ...below]),
  ])
}

type Container = Record<string, unknown>
/** A copy whose member at a place is changed by its container. */
function changedAt(
  value: unknown,
  place: readonly string[],
  change: (container: Container, key: string) => void,
) {
  const copy = structuredClone(value)
  let container = copy as Container
  for (const key of place.slice(0, -1)) container = container[key] as Container
  change(container, place.at(-1)!)
  return copy
}

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
/** Values that a reader may stumble over; `foreign` are ids of another project. */
const oddValues = (foreign: readonly string[]): readonly unknown[] => [
  null,
  true,
  -1,
  0,
  0.5,
  1e9,
  1e300,
  Number.MAX_SAFE_INTEGER,
  '',
  'x'.repeat(300_000),
  '\ud800',
  '__proto__',
  '../../access.keys',
  sha256('nothing'),
  '2026-01-05T10:00:00.000Z',
  'http://169.254.169.254/latest',
  [],
  {},
  Array.from({ length: 20_000 }, (_, n) => n),
  JSON.parse(nested(500)),
  { $gt: '' },
  ...foreign,
]
const oddTexts: readonly string[] = [
  '',
  'not json',
  '{"a":',
  nested(200_000),
  `[${'{},'.repeat(400_000)}{}]`,
  `[${'1,'.repeat(2_000_000)}1]`,
  '{"__proto__":{"polluted":true}}',
  `"${'x'.repeat(17 * 2 ** 20)}"`,
  '1e999',
]
const oddIds = (id: string, foreign: readonly string[]): readonly string[] => [
  '',
  `${id}x`,
  id.replace(/\d/, '9'),
  'x'.repeat(600),
  'str_0/0000000',
  '__proto__',
  `${foreign[0]}/0000000`,
  ...foreign,
]

function mutatedJson(
  value: unknown,
  { kind, place, value: chosen }: Choice,
  foreign: readonly string[],
): unknown {
  const places = placesIn(value)
  const odd = pick(oddValues(foreign), chosen)
  if (places.length === 0) return odd
  return changedAt(value, pick(places, place), (container, key) => {
    if (kind === 'remove') delete container[key]
    else if (kind === 'add') container[`${key}x`] = odd
    else container[key] = odd
  })
}

/** One line, changed; null where the choice changes nothing of the kind. */
function mutatedLine(line: string, choice: Choice, foreign: readonly string[]): string | null {
  const document = JSON.parse(line) as BackupDocument & BackupChunk
  const { kind, value } = choice
  if (kind === 'id') return JSON.stringify({ ...document, id: pick(oddIds(document.id, foreign), value) })
  if (document.text === undefined || kind === 'piece')
    return JSON.stringify(mutatedJson(document, { ...choice, kind: 'replace' }, foreign))
  if (kind === 'text') return JSON.stringify({ ...document, text: pick(oddTexts, value) })
  const text = JSON.stringify(mutatedJson(JSON.parse(document.text), choice, foreign))
  return text === document.text ? null : JSON.stringify({ ...document, text })
}

/** An artifact whose content is changed, under its new hash, which all documents name instead. */
function withArtifact(backup: Backup, choice: Choice, foreign: readonly string[]): Backup | null {
  const chunks = (backup.get('artifacts') ?? []).map((line) => JSON.parse(line) as BackupChunk)
  const whole = chunks.filter(({ of }) => of === 1)
  if (whole.length === 0) return null
  const chunk = pick(whole, choice.document)
  const [hash = ''] = chunk.id.split(':')
  let value: unknown
  try {
    value = JSON.parse(gunzipSync(Buffer.from(chunk.data, 'base64')).toString())
  } catch {
    return null
  }
  const content =
    choice.value % 5 === 0
      ? pick(oddTexts, choice.place)
      : JSON.stringify(mutatedJson(value, { ...choice, kind: 'replace' }, foreign))
  const newHash = sha256(content)
  const changed = { ...chunk, id: `${newHash}:0`, data: gzipSync(content).toString('base64') }
  return new Map(
    [...backup].map(([name, lines]) => [
      name,
      lines.map((line) =>
        name === 'artifacts' && line.includes(`"${chunk.id}"`)
          ? JSON.stringify(changed)
          : line.replaceAll(hash, newHash),
      ),
    ]),
  )
}

/** The backup with one change; null if the choice does not apply. */
export function mutated(backup: Backup, choice: Choice, foreign: readonly string[]): Backup | null {
  if (choice.kind === 'artifact') return withArtifact(backup, choice, foreign)
  const name = pick(
    [...backup.keys()].filter((one) => backup.get(one)!.length > 0),
    choice.collection,
  )
  const lines = backup.get(name)!
  const at = choice.document % lines.length
  const line = lines[at]!
  const changed = (() => {
    switch (choice.kind) {
      case 'drop':
        return []
      case 'repeat':
        return [line, line]
      case 'swap': {
        const { text } = JSON.parse(pick(lines, choice.value)) as BackupDocument
        return text === undefined ? null : [JSON.stringify({ ...(JSON.parse(line) as object), text })]
      }
      default: {
        const one = mutatedLine(line, choice, foreign)
        return one === null ? null : [one]
      }
    }
  })()
  return changed && new Map([...backup, [name, lines.toSpliced(at, 1, ...changed)]])
}
