/** A benchmark's section of a report: a table, counts in parts, or lines of text. */
import type { ReportSection } from '@stateeval/contracts'
import { count } from '../pure/format.ts'
import { Scrolls } from './scrolls.tsx'

const Cell = ({ cell }: { cell: string | number }) =>
  typeof cell === 'number' ? <td className="n">{count(cell)}</td> : <td>{cell}</td>

const sumNumbers = (counts: readonly number[]) => counts.reduce((sum, n) => sum + n, 0)

/** Counts as stacked bars; the table says the same in figures. */
function Parts({ parts: { names, sum, parts, rows } }: Extract<ReportSection, { parts: unknown }>) {
  const largest = Math.max(1, ...rows.map(({ counts }) => sumNumbers(counts)))
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{names}</th>
          <th scope="col" className="n">
            {sum}
          </th>
          {parts.map((part, n) => (
            <th scope="col" className="n" key={n}>
              <span className={`swatch part-${n % 8}`} aria-hidden="true" /> {part}
            </th>
          ))}
          <td className="bar" />
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, counts }, row) => (
          <tr key={row}>
            <th scope="row">{name}</th>
            <td className="n">{count(sumNumbers(counts))}</td>
            {counts.map((n, part) => (
              <td className="n" key={part}>
                {count(n)}
              </td>
            ))}
            <td className="bar">
              <svg
                className="stack"
                viewBox={`0 0 ${largest} 12`}
                preserveAspectRatio="none"
                aria-hidden="true"
              >
                {counts.map((n, part) => (
                  <rect
                    key={part}
                    className={`part-${part % 8}`}
                    x={sumNumbers(counts.slice(0, part))}
                    width={n}
                    height="12"
                  />
                ))}
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Body({ section }: { section: ReportSection }) {
  if ('parts' in section) return <Parts {...section} />
  if ('table' in section) {
    const { head, rows } = section.table
    return (
      <table>
        <thead>
          <tr>
            {head.map((text, n) => (
              <th scope="col" className={typeof rows[0]?.[n] === 'number' ? 'n' : ''} key={n}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, n) => (
                <Cell cell={cell} key={n} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    )
  }
  const [first = '', ...others] = section.lines
  return (
    <>
      <p>{first}</p>
      {others.length > 0 && <pre tabIndex={0}>{others.join('\n')}</pre>}
    </>
  )
}

export const Section = ({ section }: { section: ReportSection }) => (
  <div className="section">
    {section.title !== undefined && <h3>{section.title}</h3>}
    <Scrolls label={section.title ?? 'continued'}>
      <Body section={section} />
    </Scrolls>
    {section.more !== undefined && (
      <p className="more">… and {count(section.more)} more; the report has them.</p>
    )}
  </div>
)
