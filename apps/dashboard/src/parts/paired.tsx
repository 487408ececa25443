/** The results of a run next to the reference's, in the scorer's pairs. */
import type { PairedRun } from '@stateeval/contracts'
import { useMemo } from 'react'
import { comparePair } from '../pure/difference.ts'
import { count } from '../pure/format.ts'
import { Heads } from './heads.tsx'
import { DifferenceLines } from './difference.tsx'
import { Scrolls } from './scrolls.tsx'

type ShownPair = PairedRun['parts'][number]['pairs'][number]

export function Paired({ run: { parts } }: { run: PairedRun }) {
  const same = parts.every(({ pairs }) => pairs.every(({ equal }) => equal))
  return (
    <>
      <p>
        {same ? (
          'The run and the reference have the same outcome.'
        ) : (
          <>
            <span className="line removed">− expected</span> <span className="line added">+ found</span>, in
            the pairs that the scorer made. Ids that correspond have the same name.
          </>
        )}
      </p>
      {parts.map(({ where, pairs }) => (
        <PairedPart key={where} where={where} pairs={pairs} />
      ))}
    </>
  )
}

type ShownCalls = NonNullable<PairedRun['calls']>
/** Each call next to the reference’s, with the arguments that differ. */
export const PairedCalls = ({ calls }: { calls: ShownCalls }) => (
  <Scrolls label="Calls next to the reference’s">
    <table>
      <thead>
        <tr>
          <Heads of={['expected', 'found', 'status', 'arguments that differ', 'what is wrong']} />
        </tr>
      </thead>
      <tbody>
        {calls.map((call, n) => (
          <tr key={n}>
            <td>
              <code>{call.expected ?? '–'}</code>
            </td>
            <td className={call.says === undefined ? '' : 'failed'}>
              <code>{call.found ?? '–'}</code>
            </td>
            <td>{call.status}</td>
            <td>{call.arguments.join(', ')}</td>
            <td className="failed">{call.says}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scrolls>
)

function PairedPart({ where, pairs }: { where: string; pairs: readonly ShownPair[] }) {
  const [different, equal] = [pairs.filter((pair) => !pair.equal), pairs.filter((pair) => pair.equal)]
  return (
    <section className="pairs">
      <h4>{where}</h4>
      {different.map((pair, n) => (
        <div key={n}>
          <p>
            {pair.says.length === 0
              ? pair.name
              : pair.says.map((text, line) => (
                  <span key={line}>
                    {text}
                    <br />
                  </span>
                ))}
          </p>
          <PairLines pair={pair} />
        </div>
      ))}
      {equal.length > 0 && (
        <details>
          <summary>
            {where === 'RESULT' || where === 'state' ? 'As expected' : `${count(equal.length)} as expected`}
          </summary>
          {equal.map((pair, n) => (
            <div key={n}>
              <p>{pair.name}</p>
              <PairLines pair={pair} />
            </div>
          ))}
        </details>
      )}
    </section>
  )
}

function PairLines({ pair }: { pair: ShownPair }) {
  const difference = useMemo(() => comparePair(pair), [pair])
  return <DifferenceLines label={pair.name} {...difference} />
}
