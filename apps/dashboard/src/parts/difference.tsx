/** The difference between the results of a run and of the reference, with long equal parts folded. */
import { useMemo } from 'react'
import { compareValues, foldLines, type DifferenceLine } from '../pure/difference.ts'
import { count } from '../pure/format.ts'

const signs = { same: ' ', removed: '−', added: '+' } as const

const Lines = ({ lines }: { lines: readonly DifferenceLine[] }) =>
  lines.map(({ mark, depth, text }, n) => (
    <div className={`line ${mark}`} key={n}>
      <span aria-label={mark === 'same' ? undefined : mark === 'removed' ? 'expected' : 'found'}>
        {signs[mark]}
      </span>{' '}
      {'  '.repeat(depth)}
      {text}
    </div>
  ))

interface LinesProps {
  label: string
  lines: readonly DifferenceLine[]
  more: number
}
export function DifferenceLines({ label, lines, more }: LinesProps) {
  const shown = useMemo(() => foldLines(lines), [lines])
  return (
    <div className="difference" tabIndex={0} role="region" aria-label={label}>
      {shown.map((part, n) =>
        'folded' in part ? (
          part.folded.length > 3 ? (
            <details key={n}>
              <summary>{count(part.folded.length)} equal lines</summary>
              <Lines lines={part.folded} />
            </details>
          ) : (
            <Lines key={n} lines={part.folded} />
          )
        ) : (
          <Lines key={n} lines={[part]} />
        ),
      )}
      {more > 0 && <p className="more">… and {count(more)} more lines</p>}
    </div>
  )
}

/** For runs that no scorer has paired. */
export function Difference({ expected, found }: { expected: unknown; found: unknown }) {
  const { lines, more } = useMemo(() => compareValues(expected, found), [expected, found])
  return (
    <>
      <p>
        {lines.every(({ mark }) => mark === 'same') ? (
          'The run and the reference have the same outcome.'
        ) : (
          <>
            <span className="line removed">− expected</span> <span className="line added">+ found</span>. Ids
            are named by their place among those that the world issued.
          </>
        )}
      </p>
      <DifferenceLines label="Expected and found" lines={lines} more={more} />
    </>
  )
}
