/** One's own or imported samples that are to be generalised: lines in the published format. */
import { isRecord, type JsonValue, ProblemError } from '@stateeval/contracts'
import { BadSample, readConversation } from '../../conversation/read.ts'
import type { GoldenCall } from '../sample.ts'
import { travelDomains, type TravelDomain } from '../template.ts'
import type { LearnedSample } from './learn-template.ts'

/** @throws ProblemError that names the line */
export function readLearnedSamples(text: string): LearnedSample[] {
  const samples = text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const outcome = readLearnedSample(line)
    if ('fault' in outcome)
      throw new ProblemError('unprocessable', `line ${at + 1} ${outcome.fault}`, '/generalise')
    return [outcome]
  })
  if (samples.length > 0) return samples
  throw new ProblemError('unprocessable', 'there is no sample to generalise', '/generalise')
}

interface PublishedMessage {
  content?: JsonValue
  function_call?: GoldenCall[]
}

function readLearnedSample(line: string): LearnedSample | { fault: string } {
  try {
    const { id, domain, query } = readConversation(line)
    const { conversations } = JSON.parse(line) as { conversations: PublishedMessage[] }
    const turns: LearnedSample['turns'][number][] = []
    for (let at = 1; at < conversations.length - 1; at += 2)
      turns.push({
        calls: (conversations[at]!.function_call ?? []).map(({ name, arguments: args }) => ({
          name,
          arguments: isRecord(args) ? args : {},
        })),
        responses: conversations[at + 1]!.content as JsonValue[],
      })
    const isKnown = travelDomains.some((one) => one === domain)
    return { id, domain: isKnown ? (domain as TravelDomain) : 'Cross', query, turns }
  } catch (error) {
    if (error instanceof BadSample) return { fault: error.message }
    if (error instanceof SyntaxError) return { fault: 'has numbers that JSON does not have, such as NaN' }
    throw error
  }
}
