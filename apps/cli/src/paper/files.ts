/**
 * Exhibits as files: a Markdown page of all; for each exhibit its tables (Markdown, CSV) and its drawings
 * (SVG).
 */
import type { PaperExhibit, PaperPlot, TitledTable } from '@stateeval/program/presentation'
import { drawCurves, drawIntervals, drawStackedBars } from '../report/plots.ts'
import { tableForms } from '../report/table-forms.ts'

function drawPlot(plot: PaperPlot): string {
  switch (plot.form) {
    case 'curves':
      return drawCurves(plot.label, plot.x, plot.curves)
    case 'rates':
      return drawIntervals(plot.label, plot.rows)
    case 'parts':
      return drawStackedBars(plot.label, plot.parts, plot.rows)
  }
}

/**
 * Completes a drawing as a standalone file, which a browser shows: the namespace is named, and the ground is
 * white.
 */
const formatSvgFile = (svg: string) =>
  `${svg.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" style="background:white" ')}\n`

const formatTables = (form: string, tables: readonly TitledTable[]) => tableForms[form]!(tables, Infinity)

/** Stem of the exhibit's file names: tables have numbers only. */
const getFileStem = ({ id }: PaperExhibit) => (/^\d/.test(id) ? `table-${id}` : id)
const listDrawings = (exhibit: PaperExhibit) =>
  exhibit.plots.map((plot, at) => ({
    plot,
    file: `${getFileStem(exhibit)}${exhibit.plots.length === 1 ? '' : `-${at + 1}`}.svg`,
  }))

const formatExhibit = (exhibit: PaperExhibit) =>
  [
    `## ${exhibit.title}`,
    ...(exhibit.tables.length > 0 ? [formatTables('markdown', exhibit.tables)] : []),
    ...listDrawings(exhibit).map(({ plot, file }) => `![${plot.label}](${file})`),
    ...exhibit.notes,
  ].join('\n\n')

/** Contents by name. The same exhibits give the same bytes. */
export function buildFiles(paper: string, exhibits: readonly PaperExhibit[]): Record<string, string> {
  const files: Record<string, string> = {
    'paper.md': `# ${paper}\n\n${exhibits.map(formatExhibit).join('\n\n')}\n`,
  }
  for (const exhibit of exhibits) {
    files[`${getFileStem(exhibit)}.md`] = `${formatExhibit(exhibit)}\n`
    if (exhibit.tables.length > 0)
      files[`${getFileStem(exhibit)}.csv`] = `${formatTables('csv', exhibit.tables)}\r\n`
    for (const { plot, file } of listDrawings(exhibit)) files[file] = formatSvgFile(drawPlot(plot))
  }
  return files
}

/** Text for a terminal. */
export const formatExhibits = (exhibits: readonly PaperExhibit[], width: number): string =>
  exhibits
    .map(({ title, tables, notes }) =>
      [title, ...(tables.length > 0 ? [tableForms['table']!(tables, width)] : []), ...notes].join('\n\n'),
    )
    .join('\n\n\n')
