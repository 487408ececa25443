/** Leads an episode of replies and runs with functions at hand: for tests, measurements, and hosts without a queue. */
import type {
  BenchmarkCase,
  CallsRequest,
  Candidate,
  EpisodeEvent,
  EpisodeOptions,
  ExecutionResult,
  NotScored,
  ProgramRequest,
  Reply,
  Transcript,
} from '@stateeval/contracts'
import type { Episode } from './benchmark.ts'

interface Host {
  /** A speaker's next message; null where there is no further one. */
  reply(transcript: Transcript): Promise<Reply | null> | Reply | null
  execute(request: ProgramRequest): Promise<ExecutionResult> | ExecutionResult
  /** Where the episode runs lists of calls. */
  executeCalls?(request: CallsRequest): Promise<ExecutionResult> | ExecutionResult
}

/** The candidate; with `notScored`, why it is none. Throws where the episode needs anything besides replies and runs. */
export async function leadEpisode<C extends BenchmarkCase>(
  episode: Episode<C>,
  c: C,
  options: EpisodeOptions,
  host: Host,
): Promise<{ candidate: Candidate; notScored?: NotScored }> {
  const transcripts: Transcript[] = []
  const runs: ExecutionResult[] = []
  let turn = episode.start(c, options)
  while (!('done' in turn)) {
    const { state, need } = turn
    let event: EpisodeEvent
    if (need.kind === 'reply') {
      const { role, append, tools } = need
      const transcript = (transcripts[need.transcript] ??= { role, messages: [] })
      if (tools) transcript.tools = [...tools] as Transcript['tools']
      transcript.messages.push(...append)
      const reply = await host.reply(transcript)
      if (reply) {
        const { text, toolCalls, finish } = reply
        transcript.messages.push({
          role: 'assistant',
          content: text,
          ...(toolCalls && { toolCalls: [...toolCalls] }),
          finish,
        })
      }
      event = reply
        ? { kind: 'replied', ...reply }
        : { kind: 'unavailable', reason: 'exhausted', detail: 'there is no further answer' }
    } else if (need.kind === 'execute' && (need.request.kind === 'code' || host.executeCalls)) {
      const { request } = need
      const result = await (request.kind === 'code' ? host.execute(request) : host.executeCalls!(request))
      event = { kind: 'executed', run: runs.push(result) - 1, result }
    } else if (need.kind === 'http')
      event = {
        kind: 'unavailable',
        reason: 'not_configured',
        detail: `nobody was named for ${need.request.api}`,
      }
    else throw new TypeError(`an episode that needs ${need.kind} cannot be led without its host`)
    turn = episode.resume(c, options, state, event, transcripts)
  }
  const { done: said, notScored } = turn
  return { candidate: { said, transcripts, runs, consultations: [] }, ...(notScored && { notScored }) }
}
