/**
 * The two forms in which cases were published: a folder for each scenario with `evaluator_<n>.json` and
 * `agent_data.json`, and rows of the data set that replaced them, exported as JSON lines or as a JSON list.
 */
import { isRecord } from '@stateeval/contracts'
import { rejectPlace, type ReadingPlace, readJson, extendPlace } from './problem.ts'

/** A case as it was found: its number, and what is said about it. */
export interface CaseEntry {
  number: number
  place: ReadingPlace
  evaluator: unknown
  /** Its entry in `agent_data.json`; null where that has none for this case. */
  translation: { place: ReadingPlace; value: unknown } | null
  /** The whole prompt, which rows have. */
  prompt?: string
  warnings: string[]
}

type SetFiles = Readonly<Record<string, string>>
const evaluatorFile = /^(?:(.*)\/)?evaluator_(\d{1,9})\.json$/
const agentFile = /^(?:(.*)\/)?agent_data\.json$/
const rowsFile = /\.(jsonl|ndjson|json)$/

/** All cases of the files, in the order of folders and numbers. */
export function readFileEntries(files: SetFiles): CaseEntry[] {
  const paths = Object.keys(files).sort()
  const folders = new Map<string, { number: number; path: string }[]>()
  for (const path of paths) {
    const match = evaluatorFile.exec(path)
    if (!match) continue
    const folder = match[1] ?? ''
    folders.set(folder, [...(folders.get(folder) ?? []), { number: Number(match[2]), path }])
  }
  const rows = paths.filter(
    (path) => rowsFile.test(path) && !evaluatorFile.test(path) && !agentFile.test(path),
  )
  return [
    ...[...folders].flatMap(([folder, members]) => readFolderEntries(folder, members, files)),
    ...rows.flatMap((path) => readRowEntries(path, files[path]!)),
  ]
}

function readFolderEntries(
  folder: string,
  members: readonly { number: number; path: string }[],
  files: SetFiles,
): CaseEntry[] {
  const under = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  const agentPath = [under('agent_data/agent_data.json'), under('agent_data.json')].find(
    (path) => files[path] !== undefined,
  )
  const agentPlace: ReadingPlace = { file: agentPath ?? under('agent_data/agent_data.json'), field: '' }
  if (agentPath === undefined)
    return rejectPlace(agentPlace, 'is missing; it contains the instructions of the cases next to it')
  const agents = readJson(files[agentPath]!, agentPlace)
  if (!isRecord(agents)) return rejectPlace(agentPlace, 'must be an object of translations by number')
  const keys = chooseTranslationKeys(members, agents)
  return [...members]
    .sort((a, b) => a.number - b.number)
    .map(({ number, path }): CaseEntry => {
      const place: ReadingPlace = { file: path, field: '' }
      const key = keys.of(path, number)
      return {
        number,
        place,
        evaluator: readJson(files[path]!, place),
        translation: Object.hasOwn(agents, key)
          ? { place: extendPlace(agentPlace, key), value: agents[key] }
          : null,
        warnings: keys.warning === undefined ? [] : [keys.warning],
      }
    })
}

/**
 * Which key of the translations is a file's. The released code counts files when it translates and takes that
 * place for the number later; both agree where no number is missing. Where they don't, a key for each number
 * wins, then a key for each place.
 */
function chooseTranslationKeys(
  members: readonly { number: number; path: string }[],
  agents: Record<string, unknown>,
) {
  const sorted = members.map(({ path }) => path).sort()
  const byNumber = members.every(({ number }) => Object.hasOwn(agents, String(number)))
  const byPlace = sorted.every((_, at) => Object.hasOwn(agents, String(at)))
  const exactly = byPlace && Object.keys(agents).length === sorted.length
  if (byNumber || !exactly) return { of: (_: string, number: number) => String(number) }
  return {
    of: (path: string) => String(sorted.indexOf(path)),
    warning: 'translations are numbered by the position of their file, because some numbers have no file',
  }
}

function readRowEntries(path: string, text: string): CaseEntry[] {
  const place: ReadingPlace = { file: path, field: '' }
  const lines = text.split('\n')
  const rows: [ReadingPlace, unknown][] = path.endsWith('.json')
    ? listPlaced(readJson(text, place), place)
    : lines.flatMap((line, n): [ReadingPlace, unknown][] => {
        const at = { ...place, line: n + 1 }
        return line.trim() === '' ? [] : [[at, readJson(line, at)]]
      })
  return rows.map(([at, row]) => readEntry(row, at))
}

const listPlaced = (value: unknown, place: ReadingPlace): [ReadingPlace, unknown][] =>
  Array.isArray(value)
    ? value.map((row, n) => [{ ...place, line: n + 1 }, row])
    : rejectPlace(
        place,
        'is not a list of rows; rows have example_id, evaluator_json, prompt and agent_data_json',
      )

function readEntry(row: unknown, place: ReadingPlace): CaseEntry {
  if (!isRecord(row)) return rejectPlace(place, 'must be an object')
  const { example_id: number, prompt } = row
  if (!Number.isSafeInteger(number) || (number as number) < 0)
    rejectPlace(extendPlace(place, 'example_id'), 'must be an integer from 0')
  if (prompt !== undefined && prompt !== null && typeof prompt !== 'string')
    rejectPlace(extendPlace(place, 'prompt'), 'must be a text')
  const inner = (field: string): [ReadingPlace, unknown] => {
    const at = extendPlace(place, field)
    const value = row[field]
    return [
      at,
      typeof value === 'string'
        ? readJson(value, at)
        : isRecord(value)
          ? value
          : rejectPlace(at, 'must be a text of JSON'),
    ]
  }
  const [at, evaluator] = inner('evaluator_json')
  const hasAgents = row['agent_data_json'] !== undefined && row['agent_data_json'] !== null
  const [agentsAt, agents] = hasAgents ? inner('agent_data_json') : [place, null]
  // Either the entry itself, or the object with this row's entry alone.
  const agentEntry =
    isRecord(agents) && !Object.hasOwn(agents, 'generator_messages') ? agents[String(number)] : agents
  return {
    number: number as number,
    place: at,
    evaluator,
    translation: isRecord(agentEntry) ? { place: agentsAt, value: agentEntry } : null,
    ...(typeof prompt === 'string' && prompt.trim() !== '' && { prompt }),
    warnings: [],
  }
}
