/** A set's coverage of its scenario: a curve over its programs, and the pairs of APIs as a heat map. */
import type { CoverageCurve, ScenarioCoverage } from '@stateeval/contracts'
import { count, formatPercentLocal } from '../pure/format.ts'
import { Heads } from './heads.tsx'
import { Scrolls } from './scrolls.tsx'

const [width, height] = [420, 180]
/** Levels of the heat map below the darkest one. */
const levels = 4

export function CoverageLines({ of: { scenario, generated, kept } }: { of: ScenarioCoverage }) {
  const curves = [
    { name: 'generated programs', curve: generated },
    { name: 'kept cases', curve: kept },
  ].flatMap(({ name, curve }, n) => (curve && curve.points.length > 0 ? [{ name, curve, n }] : []))
  const most = Math.max(2, ...curves.map(({ curve }) => curve.programs))
  const x = (programs: number) => ((programs - 1) / (most - 1)) * width
  const y = (share: number) => (1 - share) * height
  const path = ({ points }: CoverageCurve) =>
    points
      .map(({ programs, atc }, n) => `${n === 0 ? 'M' : 'L'}${x(programs).toFixed(1)} ${y(atc).toFixed(1)}`)
      .join('')
  return (
    <figure>
      <svg
        className="curve"
        viewBox={`-4 -4 ${width + 8} ${height + 8}`}
        role="img"
        aria-label={`Adjacent transition coverage of ${scenario} over programs, from 0 to 100 %`}
      >
        <path className="axis" d={`M0 0V${height}H${width}`} />
        {curves.map(({ name, curve, n }) => (
          <path className={`line part-${n}`} d={path(curve)} key={name} />
        ))}
      </svg>
      <Scrolls label={`Coverage of ${scenario}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">of</th>
              <Heads of={['programs', 'ATC after half of them', 'ATC', 'pairs linked by a state']} numbers />
            </tr>
          </thead>
          <tbody>
            {curves.map(({ name, curve, n }) => {
              const last = curve.points.at(-1)
              const half = curve.points[Math.floor((curve.points.length - 1) / 2)]
              return (
                <tr key={name}>
                  <th scope="row">
                    <span className={`swatch part-${n}`} aria-hidden="true" /> {name}
                  </th>
                  <td className="n">{count(curve.programs)}</td>
                  <td className="n">{formatPercentLocal(half?.atc ?? null)}</td>
                  <td className="n">{formatPercentLocal(last?.atc ?? null)}</td>
                  <td className="n">{count(last?.transitionPairs ?? 0)}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </Scrolls>
    </figure>
  )
}

export type PairKind = 'adjacent' | 'linked'

/** One row per first call, one column per second call; cells count programs. */
export function HeatMap({ of: { scenario, apis, pairs }, kind }: { of: ScenarioCoverage; kind: PairKind }) {
  const counts = new Map(pairs.map((pair) => [JSON.stringify([pair.from, pair.to]), pair[kind]]))
  const most = Math.max(1, ...counts.values())
  const label = `${kind === 'adjacent' ? 'Neighbouring calls' : 'Calls linked by a state'} of ${scenario}`
  return (
    <Scrolls label={label}>
      <table className="heat">
        <caption>{label}: programs, by first call (row) and second call (column)</caption>
        <thead>
          <tr>
            <td />
            {apis.map((api) => (
              <th scope="col" key={api}>
                <span>{api}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {apis.map((from) => (
            <tr key={from}>
              <th scope="row">{from}</th>
              {apis.map((to) => {
                const n = counts.get(JSON.stringify([from, to])) ?? 0
                const level = n === 0 ? 0 : 1 + Math.floor(((n - 1) / most) * levels)
                return (
                  <td className={`heat-${level}`} key={to}>
                    {n === 0 ? <span aria-label="none">·</span> : count(n)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  )
}
