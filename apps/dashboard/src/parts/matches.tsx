/**
 * The reference's calls by step next to the calls that were compared with them, by the stage that matched.
 */
import type { CallMatch } from '@stateeval/contracts'
import { Heads } from './heads.tsx'
import { Scrolls } from './scrolls.tsx'

export const Matches = ({ matches }: { matches: readonly CallMatch[] }) => (
  <section aria-labelledby="matches">
    <h2 id="matches">Calls by step</h2>
    <Scrolls label="The calls of the reference by step next to those of the dialogue">
      <table>
        <thead>
          <tr>
            <Heads of={['step', 'expected', 'matched by', 'reply', 'found']} />
          </tr>
        </thead>
        <tbody>
          {matches.map(({ step, expected, by, reply, found }, n) => (
            <tr key={n} className={`match ${by ?? 'none'}`}>
              <td>{step ?? '–'}</td>
              <td>
                <code>{expected ?? '–'}</code>
              </td>
              <td className="stage">{by ?? (found === undefined ? 'missing' : 'no match')}</td>
              <td>{reply}</td>
              <td>
                <code>{found ?? '–'}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  </section>
)
