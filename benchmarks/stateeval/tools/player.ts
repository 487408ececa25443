/** Plays the calls of the reference, or of a mutant of it, from what a model is shown. */
import {
  type Case,
  type JsonValue,
  type Program,
  findRefusal,
  type SpeakerReply,
  type Transcript,
} from '@stateeval/contracts'
import type { BenchmarkHost, ReplyPlayer } from '@stateeval/program'
import { readShownVariables } from './prompt.ts'
import { type ScriptAnswer, listNextCalls } from './script.ts'

/** A mutant is a program. */
export const makeToolPlayer =
  (host: BenchmarkHost) =>
  (c: Case, mutant?: JsonValue): ReplyPlayer => {
    const program = mutant === undefined ? c.program : (mutant as unknown as Program)
    return (transcript) => replyWithNextCalls(program, host, transcript)
  }

function replyWithNextCalls(program: Program, host: BenchmarkHost, transcript: Transcript): SpeakerReply {
  const answers = readAnswers(transcript)
  const next = listNextCalls(
    program,
    host.scenario(program.scenario),
    readShownVariables(transcript),
    answers,
  )
  if ('stopped' in next) return { text: `The program stops: ${next.stopped}.`, finish: 'stop' }
  const toolCalls = next.calls.map((call, at) => ({ id: `call_${answers.length + at}`, ...call }))
  return { text: '', toolCalls, finish: 'tool_calls' }
}

const readAnswers = ({ messages }: Transcript): ScriptAnswer[] =>
  messages.flatMap((message): ScriptAnswer[] => {
    if (message.role !== 'tool') return []
    const says = findRefusal(message.content)
    return [says === null ? { ok: true, value: parseContent(message.content) } : { ok: false, says }]
  })

/** An API may answer nothing. */
const parseContent = (content: string): unknown => (content === '' ? null : JSON.parse(content))
