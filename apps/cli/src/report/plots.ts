/** Plots as inline SVG: without scripts or external resources, with escaped texts. */
import type { BracketedRate } from '@stateeval/program/format'
import { formatRate } from './format.ts'
import { escapeXml } from './junit.ts'

const width = 640
const labelWidth = 200
const row = 24
const colors = ['#b5524a', '#d9a441', '#3f7fbf', '#5b8f5b', '#7a6bb0']

const drawSvg = (height: number, label: string, inner: string) =>
  `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(label)}" font-family="system-ui,sans-serif" font-size="12">${inner}</svg>`
const drawText = (x: number, y: number, content: string, anchor = 'start') =>
  `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}">${escapeXml(content)}</text>`

/** One bar per row, divided into the shares of its parts. */
export function drawStackedBars(
  label: string,
  parts: readonly string[],
  rows: readonly { name: string; counts: readonly number[] }[],
): string {
  const legend = parts.map((part, n) => {
    const x = labelWidth + n * 120
    return `<rect x="${x}" y="4" width="12" height="12" fill="${colors[n % colors.length]}"/>${drawText(x + 17, 14, part)}`
  })
  const bars = rows.map(({ name, counts }, at) => {
    const [sum, y] = [counts.reduce((a, b) => a + b, 0), 26 + at * row]
    let x = labelWidth
    const pieces = counts.map((count, n) => {
      const wide = sum === 0 ? 0 : ((width - labelWidth - 50) * count) / sum
      const piece = `<rect x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="16" fill="${colors[n % colors.length]}"><title>${escapeXml(`${parts[n]}: ${count}`)}</title></rect>`
      x += wide
      return piece
    })
    return `${drawText(labelWidth - 8, y + 12, name, 'end')}${pieces.join('')}${drawText(x + 6, y + 12, String(sum))}`
  })
  return drawSvg(30 + rows.length * row, label, [...legend, ...bars].join(''))
}

/** Rates as points with their intervals, on an axis from 0 to 100 %. */
export function drawIntervals(
  label: string,
  rows: readonly (BracketedRate & { name: string; interval: readonly [number, number] | null })[],
): string {
  const x = (share: number) => labelWidth + share * (width - labelWidth - 60)
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line x1="${x(share)}" x2="${x(share)}" y1="4" y2="${6 + rows.length * row}" stroke="#dde3ea"/>${drawText(x(share), 20 + rows.length * row, `${share * 100} %`, 'middle')}`,
  )
  const points = rows.map(({ name, rate, interval, bracket = null }, at) => {
    const y = 16 + at * row
    const line = interval
      ? `<line x1="${x(interval[0]).toFixed(1)}" x2="${x(interval[1]).toFixed(1)}" y1="${y}" y2="${y}" stroke="#16324f" stroke-width="2"/>`
      : ''
    const point =
      rate === null
        ? ''
        : `<circle cx="${x(rate).toFixed(1)}" cy="${y}" r="4" fill="#3f7fbf"><title>${formatRate({ rate, bracket })}</title></circle>`
    return `${drawText(labelWidth - 8, y + 4, name, 'end')}${line}${point}`
  })
  return drawSvg(28 + rows.length * row, label, [...grid, ...points].join(''))
}

interface PlotCurve {
  name: string
  values: readonly number[]
  low?: readonly number[]
  high?: readonly number[]
}
/** Shares after 1, 2, 3, …, each with the observed range if one is given. */
export function drawCurves(label: string, xLabel: string, all: readonly PlotCurve[]): string {
  const [bottom, from, right] = [250, 60, width - 190]
  const count = Math.max(1, ...all.map(({ values }) => values.length))
  const x = (at: number) => from + ((right - from) * at) / Math.max(1, count - 1)
  const y = (share: number) => bottom - share * (bottom - 20)
  const points = (values: readonly number[]) =>
    values.map((value, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`)
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<line x1="${from}" x2="${right}" y1="${y(share)}" y2="${y(share)}" stroke="#dde3ea"/>${drawText(from - 6, y(share) + 4, share.toFixed(2), 'end')}`,
  )
  const ticks = Array.from({ length: count }, (_, at) => at)
    .filter((at) => at === 0 || (at + 1) % 5 === 0)
    .map((at) => drawText(x(at), bottom + 16, String(at + 1), 'middle'))
  const shapes = all.map(({ name, values, low = [], high = [] }, n) => {
    const color = colors[n % colors.length]
    const band =
      low.length > 0
        ? `<polygon points="${[...points(high), ...points(low).reverse()].join(' ')}" fill="${color}" fill-opacity="0.15"/>`
        : ''
    const key = 24 + n * 20
    return `${band}<polyline points="${points(values).join(' ')}" fill="none" stroke="${color}" stroke-width="2"/><line x1="${right + 10}" x2="${right + 28}" y1="${key}" y2="${key}" stroke="${color}" stroke-width="2"/>${drawText(right + 34, key + 4, name)}`
  })
  return drawSvg(
    bottom + 40,
    label,
    [...grid, ...ticks, drawText((from + right) / 2, bottom + 34, xLabel, 'middle'), ...shapes].join(''),
  )
}
