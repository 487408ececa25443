/** Plays the right answer: the gold calls, as the layout's family writes them. */
import type { EpisodeOptions, JsonValue, SpeakerReply } from '@stateeval/contracts'
import { oneAnswer, type ReplyPlayer } from '@stateeval/program'
import { parseListedArguments, type GoldCall, isAnswerable, getLabel, type NestfulCase } from './case.ts'
import { linkCalls } from './judge/calls.ts'
import { formatAnswerOfFamily } from './prompt/answer-format.ts'
import { getFamily, getPromptSetup } from './prompt/prompt.ts'
import { nameTools } from './prompt/tools.ts'
import { stripDollars } from './references.ts'
import { readWhole } from './python/read.ts'
import { PyDict, isDict, formatPyJson, type PyValue } from './python/value.ts'
import type { ApisOf } from './apis.ts'

/** Calls as the answer's objects. */
export const callObjects = (calls: readonly GoldCall[]): PyDict[] =>
  calls.map(
    ({ name, label, arguments: args }) =>
      new PyDict([
        ['name', name],
        ['label', label],
        ['arguments', readWhole(args)],
      ] as [PyValue, PyValue][]),
  )

/**
 * A gold text that begins with a dollar sign and does not end with one: the released evaluator closes the
 * prediction's, so it never matches.
 */
export const isUnmatchable = ({ task }: NestfulCase): boolean =>
  task.calls.some((call) =>
    [...parseListedArguments(call).values()].some(
      (value) => typeof value === 'string' && value.startsWith('$') && !value.endsWith('$'),
    ),
  )

/** A mutant of the gold calls is a list of calls. */
const isCalls = (value: unknown): value is GoldCall[] =>
  Array.isArray(value) && value.every((call) => typeof (call as GoldCall | null)?.arguments === 'string')

export const makePlayer =
  (apisOf: ApisOf) =>
  (c: NestfulCase, options: EpisodeOptions, mutant?: JsonValue): ReplyPlayer | null => {
    const calls = mutant === undefined ? c.task.calls : isCalls(mutant) ? mutant : null
    if (calls === null) return null
    if (mutant === undefined && (options.policy === 'sound' ? !isAnswerable(c) : isUnmatchable(c)))
      return null
    if (getPromptSetup(options) === 'tools')
      return createToolPlayer(c, calls, [...apisOf(c).apis.keys()], options)
    const family = getFamily(options)
    // ToolACE's calls have no labels, so the released parser can't tell what their references mean.
    if (family === 'toolace') return null
    return oneAnswer(formatAnswerOfFamily(callObjects(calls), family))
  }

/**
 * Native calls are numbered, whatever labels the gold calls have. Where several have the same label, a
 * reference means the call that it means to the judge: under `published` the last, else the last before it.
 */
function createToolPlayer(
  c: NestfulCase,
  calls: readonly GoldCall[],
  apis: readonly string[],
  { policy }: EpisodeOptions,
): ReplyPlayer {
  const names = nameTools(apis)
  const linked = linkCalls(calls)
  const last = new Map(calls.map(({ label }, at) => [stripDollars(label), at]))
  const renamedText = (text: string, at: number): string => {
    let [out, from] = ['', 0]
    for (const { label, start, end, target } of linked.linksIn(at, text)) {
      const place = policy === 'sound' ? target : (last.get(label) ?? target)
      const reference = text.slice(start, end)
      out += text.slice(from, start)
      out +=
        typeof place === 'number'
          ? reference.replace(label, () => stripDollars(getLabel(c, place + 1)))
          : reference
      from = end
    }
    return out + text.slice(from)
  }
  const renamed = (value: PyValue, at: number): PyValue => {
    if (typeof value === 'string') return renamedText(value, at)
    if (Array.isArray(value)) return value.map((item) => renamed(item, at))
    if (!isDict(value)) return value
    return new PyDict([...value].map(([key, item]): [PyValue, PyValue] => [key, renamed(item, at)]))
  }
  const reply: SpeakerReply = {
    text: '',
    toolCalls: calls.map(({ name, arguments: args }, at) => ({
      id: `call_${at + 1}`,
      name: names.get(name) ?? name,
      arguments: formatPyJson(renamed(readWhole(args), at)),
    })),
    finish: 'tool_calls',
  }
  return ({ messages }) => (messages.some(({ role }) => role === 'assistant') ? null : reply)
}
