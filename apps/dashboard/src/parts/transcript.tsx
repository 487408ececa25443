/** A dialogue in order: messages, tool calls, and their replies. */
import type { Transcript as Dialogue } from '@stateeval/contracts'

export function Transcript({ transcript: { role, input, messages } }: { transcript: Dialogue }) {
  return (
    <details className="transcript">
      <summary>
        {role === 'user' ? 'The simulated user’s side' : 'The model’s dialogue'}
        {input !== undefined && `, input ${input + 1}`}: {messages.length} messages
      </summary>
      <ol>
        {messages.map((message, n) => (
          <li key={n} className={message.role}>
            <strong>
              {message.role}
              {message.role === 'tool' && ` answers ${message.toolCallId}`}
            </strong>
            {message.content !== '' && <pre tabIndex={0}>{message.content}</pre>}
            {message.role === 'assistant' &&
              message.toolCalls?.map(({ id, name, arguments: text }) => (
                <pre tabIndex={0} key={id}>
                  {id}: {name}({text})
                </pre>
              ))}
          </li>
        ))}
      </ol>
    </details>
  )
}
