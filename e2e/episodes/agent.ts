/** An agent over HTTP: it sends what a player says, and takes what it is told into its transcripts. */
import type { AgentReply, EpisodeResource, EpisodeTurn, Transcript } from '@stateeval/contracts'
import type { ReplyPlayer } from '@stateeval/program'

export interface Answer<T> {
  status: number
  body: T
}
export async function send<T>(base: string, method: string, path: string, body?: object): Promise<Answer<T>> {
  const response = await fetch(`${base}${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T }
}

/** Keeps the conversations of an episode, and asks a player for the next reply. */
function agentOf(player: ReplyPlayer) {
  const conversations: Transcript[] = []
  return {
    reply({ conversation = 0, messages, tools }: EpisodeTurn): AgentReply {
      const transcript = (conversations[conversation] ??= { role: 'model', messages: [] })
      transcript.messages.push(...messages)
      if (tools) transcript.tools = tools
      const reply = player(transcript)
      if (!reply) return { text: 'I have nothing to add.' }
      const { text, toolCalls, finish } = reply
      transcript.messages.push({
        role: 'assistant',
        content: text,
        ...(toolCalls && { toolCalls: [...toolCalls] }),
      })
      return { text, finish, ...(toolCalls && { toolCalls: [...toolCalls] }) }
    },
  }
}

/**
 * Drives an episode to its end; `baseOf` says where each step is sent. Gives all turns.
 */
export async function drive(
  opened: EpisodeResource,
  player: ReplyPlayer,
  stepAt: (step: number, reply: AgentReply) => Promise<EpisodeTurn>,
): Promise<EpisodeTurn[]> {
  const agent = agentOf(player)
  const turns = [opened.turn!]
  while (!turns.at(-1)!.done) turns.push(await stepAt(turns.length, agent.reply(turns.at(-1)!)))
  return turns
}
