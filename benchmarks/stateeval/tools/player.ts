/** Plays the calls of the reference, or of a mutant of it, knowing what a model is shown. */
import {
  type Case,
  type JsonValue,
  type Program,
  findRefusal,
  type SpeakerReply,
  type Transcript,
} from '@stateeval/contracts'
import type { BenchmarkHost, Player } from '@stateeval/program'
import { variablesShown } from './prompt.ts'
import { type Answer, nextCalls } from './script.ts'

/** A mutant is a program. */
export const makeToolPlayer =
  (host: BenchmarkHost) =>
  (c: Case, mutant?: JsonValue): Player => {
    const program = mutant === undefined ? c.program : (mutant as unknown as Program)
    return (transcript) => replyOf(program, host, transcript)
  }

function replyOf(program: Program, host: BenchmarkHost, transcript: Transcript): SpeakerReply {
  const answers = answersIn(transcript)
  const next = nextCalls(program, host.scenario(program.scenario), variablesShown(transcript), answers)
  if ('stopped' in next) return { text: `The program stops: ${next.stopped}.`, finish: 'stop' }
  const toolCalls = next.calls.map((call, at) => ({ id: `call_${answers.length + at}`, ...call }))
  return { text: '', toolCalls, finish: 'tool_calls' }
}

const answersIn = ({ messages }: Transcript): Answer[] =>
  messages.flatMap((message): Answer[] => {
    if (message.role !== 'tool') return []
    const says = findRefusal(message.content)
    return [says === null ? { ok: true, value: valueIn(message.content) } : { ok: false, says }]
  })

/** An API may answer nothing. */
const valueIn = (content: string): unknown => (content === '' ? null : JSON.parse(content))
