import { expect, test } from '@jest/globals'
import { partial } from '@stateeval/testkit/partial'
import type { ReportFigures } from '../owners/report.ts'
import { listFigures } from './figures.ts'

test('a measure is better as its kind declares, by the longest beginning of its name', () => {
  const figures = partial<ReportFigures>({
    overall: partial<ReportFigures['overall']>({ rate: 0.5, interval: null, scored: 2 }),
    measures: [
      {
        ...{ policy: 'sound', group: 'all', name: 'all' },
        values: { 'Mean calls': 3, 'Mean wrong calls': 1, 'RESULT keys right': 1, Another: 2 },
      },
    ],
  })
  const directions = { Mean: 'neither', 'Mean wrong': 'lower', RESULT: 'higher' } as const
  expect(listFigures(figures, directions).map(({ name, better }) => [name, better])).toEqual([
    ['Pass rate', 'higher'],
    ['Mean calls', 'neither'],
    ['Mean wrong calls', 'lower'],
    ['RESULT keys right', 'higher'],
    ['Another', 'neither'],
  ])
})
