/** A line plot as SVG. */
interface Line {
  name: string
  colour: string
  values: readonly number[]
  /** What most runs lie between, drawn behind the line. */
  band?: { low: readonly number[]; high: readonly number[] }
}

const [width, height, left, top] = [640, 400, 60, 30]
const [plotWidth, plotHeight] = [width - left - 130, height - top - 60]

/** Draws lines over 1, 2, 3, …; values from 0 to 1. */
export function plot(title: string, x: string, y: string, lines: readonly Line[]): string {
  const count = Math.max(...lines.map(({ values }) => values.length))
  const px = (index: number) => left + (plotWidth * index) / Math.max(1, count - 1)
  const py = (value: number) => top + plotHeight * (1 - value)
  const text = (at: [number, number], anchor: string, content: string, more = '') =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" text-anchor="${anchor}"${more}>${content}</text>`
  const levels = [0, 0.25, 0.5, 0.75, 1].flatMap((value) => [
    `<line x1="${left}" y1="${py(value)}" x2="${left + plotWidth}" y2="${py(value)}" stroke="#ddd"/>`,
    text([left - 8, py(value) + 4], 'end', value.toFixed(2)),
  ])
  const ticks = Array.from({ length: count }, (_, index) => index).filter(
    (index) => index === 0 || (index + 1) % 5 === 0,
  )
  const points = (values: readonly number[]) =>
    values.map((value, index) => `${px(index).toFixed(1)},${py(value).toFixed(1)}`)
  const bands = lines.flatMap(({ colour, band }) =>
    band
      ? [
          `<polygon fill="${colour}" fill-opacity="0.12" points="${[...points(band.high), ...points(band.low).reverse()].join(' ')}"/>`,
        ]
      : [],
  )
  const curves = lines.flatMap(({ name, colour, values }, row) => [
    `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points(values).join(' ')}"/>`,
    `<line x1="${left + plotWidth + 12}" y1="${top + 16 + row * 20}" x2="${left + plotWidth + 32}" y2="${top + 16 + row * 20}" stroke="${colour}" stroke-width="2"/>`,
    text([left + plotWidth + 38, top + 20 + row * 20], 'start', name),
  ])
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    '<rect width="100%" height="100%" fill="white"/>',
    text([left, 18], 'start', title, ' font-weight="bold"'),
    ...levels,
    ...ticks.map((index) => text([px(index), top + plotHeight + 18], 'middle', String(index + 1))),
    text([left + plotWidth / 2, height - 14], 'middle', x),
    text([16, top + plotHeight / 2], 'middle', y, ` transform="rotate(-90 16 ${top + plotHeight / 2})"`),
    ...bands,
    ...curves,
    '</svg>\n',
  ].join('\n')
}
