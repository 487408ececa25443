/** Shares over k as lines, with the same values as a table. */
import type { OverCases } from '@stateeval/contracts'
import { RateText } from './rate.tsx'
import { Scrolls } from './scrolls.tsx'

interface CurveProps {
  label: string
  curves: readonly { name: string; points: readonly OverCases[] }[]
}

const [width, height] = [320, 160]

export function Curve({ label, curves }: CurveProps) {
  const ks = curves[0]?.points.map(({ k }) => k) ?? []
  const most = Math.max(2, ...ks)
  const x = (k: number) => ((k - 1) / (most - 1)) * width
  const y = (share: number) => (1 - share) * height
  const path = (points: readonly OverCases[]) =>
    points
      .filter((point): point is OverCases & { estimate: number } => point.estimate !== null)
      .map(({ k, estimate }, n) => `${n === 0 ? 'M' : 'L'}${x(k).toFixed(1)} ${y(estimate).toFixed(1)}`)
      .join('')
  return (
    <figure>
      <svg className="curve" viewBox={`-4 -4 ${width + 8} ${height + 8}`} role="img" aria-label={label}>
        <path className="axis" d={`M0 0V${height}H${width}`} />
        {curves.map(({ name, points }, n) => (
          <path className={`line part-${n}`} d={path(points)} key={name} />
        ))}
      </svg>
      <Scrolls label={label}>
        <table>
          <thead>
            <tr>
              <th scope="col">k</th>
              {ks.map((k) => (
                <th scope="col" className="n" key={k}>
                  {k}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {curves.map(({ name, points }, n) => (
              <tr key={name}>
                <th scope="row">
                  <span className={`swatch part-${n}`} aria-hidden="true" /> {name}
                </th>
                {points.map(({ k, estimate, bracket = null }) => (
                  <td className="n" key={k}>
                    <RateText rate={estimate} bracket={bracket} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
    </figure>
  )
}
