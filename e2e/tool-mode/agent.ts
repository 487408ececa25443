/** An agent over MCP that carries out a case as its reference does, whichever client it speaks through. */
import type { Case, Message, Transcript } from '@stateeval/contracts'
import { formatToolAnswer } from '@stateeval/contracts'
import type { ReplyPlayer } from '@stateeval/program'

/** What a client of MCP does for the agent. */
export interface McpClient {
  call(name: string, args: Record<string, unknown>): Promise<{ text: string; error: boolean }>
}

/** Solves every input of the case; gives what the last call answered. */
export async function solve(c: Case, player: ReplyPlayer, client: McpClient): Promise<string> {
  let text = ''
  for (const [input] of c.oracles.entries()) {
    const { text: task } = await client.call('read_task', {})
    // The prompt of the agent: its variables stand in the last block.
    const messages: Message[] = [{ role: 'user', content: task }]
    const transcript: Transcript = { role: 'model', input, messages }
    for (let isOver = false; !isOver;) {
      const { toolCalls = [], finish } = player(transcript)!
      messages.push({ role: 'assistant', content: '', toolCalls: [...toolCalls], finish })
      for (const { id, name, arguments: args } of toolCalls) {
        const answer = await client.call(name, JSON.parse(args) as Record<string, unknown>)
        text = answer.text
        const content = formatToolAnswer({ content: text, ...(answer.error && { error: true }) })
        messages.push({ role: 'tool', toolCallId: id, content })
        isOver ||= name === 'submit_result'
      }
    }
  }
  return text
}
