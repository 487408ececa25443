/** Leads scripted dialogues and scores them, in this process. */
import type {
  Candidate,
  Consultation,
  EpisodeEvent,
  EpisodeOptions,
  UnscoredReason,
  SpeakerReply,
  Score,
} from '@stateeval/contracts'
import { runEpisode } from '@stateeval/program'
import type { ComplexCase } from '../case.ts'
import type { BeginDecision, DialogueDecision, EndDecision, RoundDecision } from '../dialogue/decisions.ts'
import type { Here } from './here.ts'

/**
 * Calls of one reply as [name, arguments]; arguments that are a text stay as they are. A text is the final
 * one.
 */
export type Saying = string | readonly (readonly [name: string, args: unknown])[]

/** What each reply takes. */
const usage = { requests: 1, promptTokens: 10, completionTokens: 10 }
const ms = 500

const replyOf = (saying: Saying): SpeakerReply =>
  typeof saying === 'string'
    ? { text: saying, finish: 'stop', usage, ms }
    : {
        usage,
        ms,
        text: '',
        toolCalls: saying.map(([name, args], at) => ({
          id: `call_${at}`,
          name,
          arguments: typeof args === 'string' ? args : JSON.stringify(args),
        })),
        finish: 'tool_calls',
      }

export interface Led {
  candidate: Candidate
  notScored?: UnscoredReason
  score: Score
  rounds: RoundDecision[]
  end: EndDecision | undefined
  begin: BeginDecision
  /** What the model was told after each of its replies. */
  toolTexts: string[][]
}

export async function lead(
  { benchmark }: Here,
  c: ComplexCase,
  script: readonly Saying[],
  {
    consult,
    ...options
  }: Partial<EpisodeOptions> & {
    consult?: (need: Consultation['need']) => EpisodeEvent | Promise<EpisodeEvent>
  } = {},
): Promise<Led> {
  const { candidate, notScored } = await runEpisode(
    benchmark.episode,
    c,
    { prompting: 'direct', ...options },
    {
      reply: ({ messages }) => {
        const saying = script[messages.filter(({ role }) => role === 'assistant').length]
        return saying === undefined ? null : replyOf(saying)
      },
      ...(consult && { consult }),
    },
  )
  const decisions = (candidate.said.kind === 'dialogue' ? candidate.said.decisions : []) as DialogueDecision[]
  const toolTexts: string[][] = []
  for (const { role, content } of candidate.transcripts[0]?.messages ?? []) {
    if (role === 'assistant') toolTexts.push([])
    else toolTexts.at(-1)?.push(content)
  }
  return {
    candidate,
    ...(notScored && { notScored }),
    score: benchmark.score({ case: c, candidate }),
    rounds: decisions.filter((one) => one.kind === 'round'),
    end: decisions.find((one) => one.kind === 'end'),
    begin: decisions.find((one) => one.kind === 'begin')!,
    toolTexts,
  }
}
