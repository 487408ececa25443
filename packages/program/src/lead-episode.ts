/** Runs an episode with local functions: for tests, measurements, and hosts without a queue. */
import type {
  BenchmarkCase,
  CallsRequest,
  Candidate,
  Consultation,
  EpisodeEvent,
  EpisodeOptions,
  ExecutionResult,
  HostNeed,
  UnmetNeed,
  UnscoredReason,
  ProgramRequest,
  SpeakerReply,
  Transcript,
} from '@stateeval/contracts'
import type { Episode } from './benchmark.ts'

interface EpisodeHost {
  /** A speaker's next message, or why there is none; null where there is no further one. */
  reply(transcript: Transcript): Promise<SpeakerReply | UnmetNeed | null> | SpeakerReply | UnmetNeed | null
  execute?(request: ProgramRequest): Promise<ExecutionResult> | ExecutionResult
  /** Runs lists of calls, for episodes that need it. */
  executeCalls?(request: CallsRequest): Promise<ExecutionResult> | ExecutionResult
  /** Leads tool sessions, for episodes that open worlds. */
  session?(need: Extract<HostNeed, { kind: 'open' | 'call' }>): Promise<EpisodeEvent> | EpisodeEvent
  /** Ends a session, and gives what was observed of its world. */
  close?(need: Extract<HostNeed, { kind: 'close' }>): Promise<ExecutionResult> | ExecutionResult
  /** Answers judges, similarities and live requests; without it nobody is configured for any. */
  consult?(need: Consultation['need']): Promise<EpisodeEvent> | EpisodeEvent
}
const exhausted: UnmetNeed = {
  kind: 'unavailable',
  reason: 'exhausted',
  detail: 'there are no more answers',
}
const absent: EpisodeEvent = {
  kind: 'unavailable',
  reason: 'not_configured',
  detail: 'no player was named for it',
}

/**
 * The candidate; with `notScored`, why there is none. Throws if the episode needs a world or runs that the
 * host does not have.
 */
export async function runEpisode<C extends BenchmarkCase>(
  episode: Episode<C>,
  c: C,
  options: EpisodeOptions,
  host: EpisodeHost,
): Promise<{ candidate: Candidate; notScored?: UnscoredReason }> {
  const transcripts: Transcript[] = []
  const runs: ExecutionResult[] = []
  const consultations: Consultation[] = []
  let turn = episode.start(c, options)
  while (!('done' in turn)) {
    const { state, need } = turn
    let event: EpisodeEvent
    if (need.kind === 'reply') {
      const { role, append, tools } = need
      const transcript = (transcripts[need.transcript] ??= { role, messages: [] })
      if (tools) transcript.tools = [...tools] as Transcript['tools']
      transcript.messages.push(...append)
      const reply = (await host.reply(transcript)) ?? exhausted
      if (!('kind' in reply)) {
        const { text, toolCalls, vendor, finish } = reply
        transcript.messages.push({
          role: 'assistant',
          content: text,
          ...(toolCalls && { toolCalls: [...toolCalls] }),
          ...(vendor && { vendor }),
          finish,
        })
      }
      event = 'kind' in reply ? reply : { kind: 'replied', ...reply }
    } else if (need.kind === 'execute') {
      const result = await executeRequest(host, need.request)
      event = { kind: 'executed', run: runs.push(result) - 1, result }
    } else if (need.kind === 'consult' || need.kind === 'similar' || need.kind === 'http') {
      event = (await host.consult?.(need)) ?? absent
      consultations.push({ need, event })
    } else if ((need.kind === 'open' || need.kind === 'call') && host.session) {
      event = await host.session(need)
    } else if (need.kind === 'close' && host.close) {
      const result = await host.close(need)
      event = { kind: 'closed', run: runs.push(result) - 1, result }
    } else throw new TypeError(`an episode that needs ${need.kind} cannot be led without its host`)
    turn = episode.resume(c, options, state, event, transcripts)
  }
  const { done: said, notScored } = turn
  return { candidate: { said, transcripts, runs, consultations }, ...(notScored && { notScored }) }
}

function executeRequest(
  host: EpisodeHost,
  request: ProgramRequest | CallsRequest,
): Promise<ExecutionResult> | ExecutionResult {
  const run = request.kind === 'code' ? host.execute?.(request) : host.executeCalls?.(request)
  if (!run) throw new TypeError(`an episode that executes ${request.kind} cannot be led without its host`)
  return run
}
