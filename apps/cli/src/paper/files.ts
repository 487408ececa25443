/**
 * Exhibits as files: a Markdown page of all; for each exhibit its tables (Markdown, CSV) and its drawings
 * (SVG).
 */
import type { Exhibit, Plot, TitledTable } from '@stateeval/program/presentation'
import { curves, intervals, stackedBars } from '../report/plots.ts'
import { tableForms } from '../report/table-forms.ts'

function drawingOf(plot: Plot): string {
  switch (plot.form) {
    case 'curves':
      return curves(plot.label, plot.x, plot.curves)
    case 'rates':
      return intervals(plot.label, plot.rows)
    case 'parts':
      return stackedBars(plot.label, plot.parts, plot.rows)
  }
}

/**
 * Completes a drawing as a standalone file, which a browser shows: the namespace is named, and the ground is
 * white.
 */
const asFile = (svg: string) =>
  `${svg.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" style="background:white" ')}\n`

const inForm = (form: string, tables: readonly TitledTable[]) => tableForms[form]!(tables, Infinity)

/** Stem of the exhibit's file names: tables have numbers only. */
const stemOf = ({ id }: Exhibit) => (/^\d/.test(id) ? `table-${id}` : id)
const drawings = (exhibit: Exhibit) =>
  exhibit.plots.map((plot, at) => ({
    plot,
    file: `${stemOf(exhibit)}${exhibit.plots.length === 1 ? '' : `-${at + 1}`}.svg`,
  }))

const markdownOf = (exhibit: Exhibit) =>
  [
    `## ${exhibit.title}`,
    ...(exhibit.tables.length > 0 ? [inForm('markdown', exhibit.tables)] : []),
    ...drawings(exhibit).map(({ plot, file }) => `![${plot.label}](${file})`),
    ...exhibit.notes,
  ].join('\n\n')

/** Contents by name. The same exhibits give the same bytes. */
export function filesOf(paper: string, exhibits: readonly Exhibit[]): Record<string, string> {
  const files: Record<string, string> = {
    'paper.md': `# ${paper}\n\n${exhibits.map(markdownOf).join('\n\n')}\n`,
  }
  for (const exhibit of exhibits) {
    files[`${stemOf(exhibit)}.md`] = `${markdownOf(exhibit)}\n`
    if (exhibit.tables.length > 0) files[`${stemOf(exhibit)}.csv`] = `${inForm('csv', exhibit.tables)}\r\n`
    for (const { plot, file } of drawings(exhibit)) files[file] = asFile(drawingOf(plot))
  }
  return files
}

/** Text for a terminal. */
export const textOf = (exhibits: readonly Exhibit[], width: number): string =>
  exhibits
    .map(({ title, tables, notes }) =>
      [title, ...(tables.length > 0 ? [tableForms['table']!(tables, width)] : []), ...notes].join('\n\n'),
    )
    .join('\n\n\n')
