/** Which measures the tables of the WAPIIBench paper show, row by row, and as what. */
const pairMeasure = (name: string) => [`${name} (t)`, `${name} (e)`]
const executable = 'Executable implementations (t)'
const errors = ['Total errors', 'Incomplete implementations', 'Runtime errors']
const means = [
  'Mean argument precision',
  'Mean argument recall',
  'Mean arg. Jaccard index',
  'Mean arg. val. cond. acc.',
].flatMap(pairMeasure)
const endpoints = ['Correct URLs', 'Illegal URLs', 'Correct methods', 'Illegal methods']
const correct = ['Correct argument names', 'Correct argument values', 'Missing arguments']
const listShortMeasures = (names: string[]) => [
  ...names,
  'Mean argument precision (e)',
  'Mean argument recall (e)',
  'Mean arg. val. cond. acc. (e)',
]

export type TableSetup = 'full' | 'arguments'
/** The short tables (III, IV) and the complete ones (VI to XI). */
export const rows: Record<TableSetup, { short: readonly string[]; complete: readonly string[] }> = {
  full: {
    short: listShortMeasures(['Correct implementations (t)', ...endpoints.map((name) => `${name} (e)`)]),
    complete: [
      executable,
      ...['Correct implementations', ...endpoints, ...correct, 'Unexpected arguments'].flatMap(pairMeasure),
      ...means,
      ...errors,
    ],
  },
  arguments: {
    short: [
      ...listShortMeasures(['Correct implementations (t)', 'Illegal implementations (e)']),
      'Illegal arguments (e)',
    ],
    complete: [
      executable,
      ...[
        'Correct implementations',
        'Illegal implementations',
        ...correct,
        'Unnecessary arguments',
        'Illegal arguments',
      ].flatMap(pairMeasure),
      ...means,
      ...errors,
    ],
  },
}
/** Other names of rows, as Tables III and IV print them. */
export const otherName: Readonly<Record<string, string>> = {
  'Mean arg. val. cond. acc. (e)': 'Mean argument value conditional accuracy (e)',
}
/** Counts, not shares. */
const isCount = (name: string) => !/\((t|e|released|of errors)\)$/.test(name)
export const formatWapiiCell = (name: string, value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : isCount(name) ? String(value) : value.toFixed(2)
