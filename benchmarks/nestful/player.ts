/** What a model would have to answer to pass: the gold calls, as the layout's family writes them. */
import type { EpisodeOptions, Json, Reply } from '@stateeval/contracts'
import { oneAnswer, type Player } from '@stateeval/program'
import { argumentsOf, type GoldCall, labelAt, type NestfulCase } from './case.ts'
import { answerText } from './prompt/answer-format.ts'
import { familyFor, setupFor } from './prompt/prompt.ts'
import { toolNames } from './prompt/tools.ts'
import { withoutDollars } from './references.ts'
import { readWhole } from './python/read.ts'
import { Dict, type Py } from './python/value.ts'
import type { ApisOf } from './apis.ts'

/** Calls as the answer's objects. */
export const callObjects = (calls: readonly GoldCall[]): Dict[] =>
  calls.map(
    ({ name, label, arguments: args }) =>
      new Dict([
        ['name', name],
        ['label', label],
        ['arguments', readWhole(args)],
      ] as [Py, Py][]),
  )

/**
 * A gold text that begins with a dollar sign and does not end with one: the released evaluator closes the
 * prediction's, so it never matches.
 */
export const isUnmatchable = ({ task }: NestfulCase): boolean =>
  task.calls.some((call) =>
    [...argumentsOf(call).values()].some(
      (value) => typeof value === 'string' && value.startsWith('$') && !value.endsWith('$'),
    ),
  )

/** A mutant of the gold calls is a list of calls. */
const isCalls = (value: unknown): value is GoldCall[] =>
  Array.isArray(value) && value.every((call) => typeof (call as GoldCall | null)?.arguments === 'string')

export const makePlayer =
  (apisOf: ApisOf) =>
  (c: NestfulCase, options: EpisodeOptions, mutant?: Json): Player | null => {
    const calls = mutant === undefined ? c.task.calls : isCalls(mutant) ? mutant : null
    if (calls === null || (mutant === undefined && options.policy !== 'sound' && isUnmatchable(c)))
      return null
    if (setupFor(options) === 'tools') return toolPlayer(c, calls, [...apisOf(c).apis.keys()])
    const family = familyFor(options)
    // ToolACE's calls have no labels, so the released parser can't tell what their references mean.
    if (family === 'toolace') return null
    return oneAnswer(answerText(callObjects(calls), family))
  }

/** Native calls are numbered, whatever labels the gold calls have. */
function toolPlayer(c: NestfulCase, calls: readonly GoldCall[], apis: readonly string[]): Player {
  const names = toolNames(apis)
  const labels = new Map(
    calls.map(({ label }, at) => [withoutDollars(label), withoutDollars(labelAt(c, at + 1))]),
  )
  const renamed = (text: string) =>
    text.replaceAll(/\$([A-Za-z_]\w*)(?=[.$[])/g, (all, label: string) =>
      labels.has(label) ? `$${labels.get(label)}` : all,
    )
  const reply: Reply = {
    text: '',
    toolCalls: calls.map(({ name, arguments: args }, at) => ({
      id: `call_${at + 1}`,
      name: names.get(name) ?? name,
      arguments: renamed(args),
    })),
    finish: 'tool_calls',
  }
  return ({ messages }) => (messages.some(({ role }) => role === 'assistant') ? null : reply)
}
