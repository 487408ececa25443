/** A dialogue in order: messages, and each tool call with its reply. */
import type { Transcript as Dialogue } from '@stateeval/contracts'
import { useMemo } from 'react'

type DialogueMessage = Dialogue['messages'][number]

/** Replies by the ids of their calls; a reply to no known call stays a separate message. */
function indexReplies(messages: readonly DialogueMessage[]) {
  const calls = new Set(
    messages.flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []).map(({ id }) => id) : [])),
  )
  const replies = new Map<string, string>()
  for (const one of messages)
    if (one.role === 'tool' && calls.has(one.toolCallId) && !replies.has(one.toolCallId))
      replies.set(one.toolCallId, one.content)
  return replies
}

interface TranscriptProps {
  transcript: Dialogue
  /** True if open. */
  open?: boolean
}
export function Transcript({ transcript: { role, input, messages }, open = false }: TranscriptProps) {
  const replies = useMemo(() => indexReplies(messages), [messages])
  const shown = messages.filter((one) => one.role !== 'tool' || replies.get(one.toolCallId) !== one.content)
  return (
    <details className="transcript" open={open}>
      <summary>
        {role === 'user' ? 'The simulated user’s side' : 'The model’s dialogue'}
        {input !== undefined && `, input ${input + 1}`}: {messages.length} messages
      </summary>
      <ol>
        {shown.map((message, n) => (
          <li key={n} className={message.role}>
            <strong>
              {message.role}
              {message.role === 'tool' && ` answers ${message.toolCallId}`}
            </strong>
            {message.content !== '' && <pre tabIndex={0}>{message.content}</pre>}
            {message.role === 'assistant' &&
              message.toolCalls?.map(({ id, name, arguments: text }) => (
                <dl className="call" key={id}>
                  <dt>calls</dt>
                  <dd>
                    <pre tabIndex={0}>
                      {name}({text})
                    </pre>
                  </dd>
                  {replies.has(id) && (
                    <>
                      <dt>reply</dt>
                      <dd>
                        <pre tabIndex={0}>{replies.get(id)}</pre>
                      </dd>
                    </>
                  )}
                </dl>
              ))}
          </li>
        ))}
      </ol>
    </details>
  )
}
