/** Requests: differences name an argument by its location and name, or the endpoint. */
import type { JsonValue, Observation } from '@stateeval/contracts'
import { isRecord } from '@stateeval/contracts'
import { oneAnswer, runEpisode } from '@stateeval/program'
import type { WapiiCase } from '../../wapiibench/case.ts'
import { writeAxiosAnswer } from '../../wapiibench/player.ts'
import { runHere } from '../../wapiibench/test/run-here.ts'
import { sampleBenchmark as benchmark, sampleCases } from '../../wapiibench/test/sample.ts'
import { change, readAt } from '../places.ts'
import { defineExplained } from './kind.ts'

type Fields = Record<string, JsonValue>
type SentRequest = Fields & { url: string; method: string; headers: Fields }

const first = sampleCases[0]!
const long = {
  ...first,
  id: 'long',
  task: { ...first.task, config: { ...first.task.config, params: { limit: 20, q: 'whales '.repeat(100) } } },
} as WapiiCase

/** A body as named fields: what the program sent as text is what the recorder reports. */
const readBody = (data: JsonValue | undefined): JsonValue | undefined => {
  if (typeof data !== 'string') return data
  return data.startsWith('{')
    ? (JSON.parse(data) as JsonValue)
    : Object.fromEntries(new URLSearchParams(data))
}
async function sendReference({ instruction, task }: WapiiCase): Promise<SentRequest[]> {
  const { world } = await runHere(writeAxiosAnswer(instruction, task.config), task.files)
  const { requests } = world!.state as { requests: SentRequest[] }
  return requests.map((one) => {
    const data = Array.isArray(one['data']) ? one['data'] : readBody(one['data'])
    return { ...one, ...(data !== undefined && { data }) }
  })
}

/** The last request counts under `published`, the first under `sound`. */
const countedAt = (policy: string, { length }: SentRequest[]) => (policy === 'published' ? length - 1 : 0)

function splitPlace(where: string): [location: string, name: string] {
  const at = where.indexOf('.')
  return at < 0 ? [where, ''] : [where.slice(0, at), where.slice(at + 1)]
}
const listSegments = (url: string) =>
  url
    .split('?')[0]!
    .split('/')
    .flatMap((one) => [one, ...one.split(':')])
    .map(decodeURIComponent)
/** Ways in which a value may stand in a request. */
const listTexts = (value: JsonValue | undefined): string[] =>
  value === undefined
    ? []
    : [value, String(value), String(value).split(','), [value].flat(), [value].flat(9)].map((one) =>
        JSON.stringify(one),
      )

function readArgument(request: Partial<SentRequest>, where: string): string[] {
  const [location, name] = splitPlace(where)
  if (location === 'path_params')
    return listSegments(request.url!)
      .flatMap((one) => [one, Number(one)])
      .flatMap(listTexts)
  const fields = request[location]
  if (name === '') return [...listTexts(fields), ...listTexts(request.headers?.['Content-Type'])]
  if (location === 'data' && Array.isArray(fields))
    return (fields as JsonValue[][])
      .filter(([key]) => key === name)
      .flatMap(([, value, file]) => listTexts(file ?? value))
  if (!isRecord(fields)) return []
  const key = Object.keys(fields).find(
    (one) => one === name || (location === 'headers' && one.toLowerCase() === name.toLowerCase()),
  )
  return key === undefined ? [] : listTexts(fields[key])
}

export const wapiibench = defineExplained<WapiiCase, SentRequest[]>({
  benchmark,
  cases: [...sampleCases, long],
  reference: sendReference,
  candidate: async ({ case: c, policy, answer }) => {
    const observation: Observation = {
      ending: { status: 'no_result', reason: 'there is no RESULT' },
      world: { state: { requests: answer }, ids: { initial: [], created: [] }, gone: [] },
      ...{ log: [], output: '', faults: [], wallMs: 0, sandbox: 'here' },
    }
    const { candidate } = await runEpisode(
      benchmark.episode,
      c,
      { language: 'javascript', prompting: 'direct', documentation: 'none', policy },
      {
        reply: oneAnswer(writeAxiosAnswer(c.instruction, c.task.config)),
        execute: () => ({ observations: [observation], runtime: 'here' }),
      },
    )
    return candidate
  },
  // The parts of a form are the recorder's.
  isChangeable: (place, how) =>
    /^\d+\.(headers|params|data)\.(?!\d)/.test(place) ||
    (how === 'left out' && /^\d+(\.data\.\d+)?$/.test(place)) ||
    (how === 'other' && /^\d+\.(url|method)$/.test(place)),
  read: ({ case: { task }, policy, answer }, { where }) =>
    where === 'endpoint' || where === 'answer'
      ? null
      : {
          expected: readArgument(task.config, where),
          found: readArgument(answer[countedAt(policy, answer)] ?? {}, where),
        },
  mend({ case: { task }, policy, answer }, { where, expected }, reference) {
    if (where === 'answer') return reference
    const at = countedAt(policy, answer)
    const { url, method } = task.config
    const [right, sent] = [reference[0]!, answer[at]!]
    const [location, name] = splitPlace(where)
    if (location === 'endpoint') return answer.with(at, { ...sent, url, method })
    if (location === 'path_params') return answer.with(at, { ...sent, url })
    const whole = name === '' || Array.isArray(sent[location]) || !isRecord(sent[location])
    if (whole) return answer.with(at, { ...sent, [location]: right[location]!, headers: right.headers })
    const keys = Object.keys(sent[location] as Fields)
    const key = keys.find(
      (one) => one === name || (location === 'headers' && one.toLowerCase() === name.toLowerCase()),
    )
    const value = expected === undefined ? undefined : (readAt(task.config, [location, name]) as JsonValue)
    return answer.with(at, change(sent, [location, key ?? name], value) as SentRequest)
  },
})
