import { splitWords } from '@stateeval/program/format'

/** Names with their values; what is no text, number or truth stands as JSON. */
export const Terms = ({ of }: { of: readonly (readonly [name: string, value: unknown])[] }) => (
  <dl className="options">
    {of.map(([name, value], n) => (
      <div key={n}>
        <dt>{splitWords(name)}</dt>
        <dd>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</dd>
      </div>
    ))}
  </dl>
)
