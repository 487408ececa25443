import { Command } from 'commander'
import { expect, test } from '@jest/globals'
import {
  type GateCommand,
  addGateOptions,
  buildGateRequest,
  parsePoints,
  parseUnscoredLimit,
} from './gate.ts'

const requestOf = (...args: string[]) => {
  const command = addGateOptions(new Command('evaluate'))
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  return buildGateRequest(command.parse(args, { from: 'user' }).opts<GateCommand>())
}

test.each<[string, object | null]>([
  ['', null],
  ['--allow-unscored', null],
  ['--markdown summary.md', null],
  ['--gate 80%', { minRate: 0.8 }],
  ['--gate 0.8 --allow-unscored', { minRate: 0.8, maxUnscoredShare: 1, unscored: 'excluded' }],
  ['--gate 80% --max-unscored 3 --unscored excluded', { minRate: 0.8, maxUnscored: 3, unscored: 'excluded' }],
  ['--gate 80% --max-unscored 3', { minRate: 0.8, maxUnscored: 3 }],
  ['--max-unscored 1%', { maxUnscoredShare: 0.01 }],
  ['--baseline ev_1 --max-regression 2pt', { baseline: 'ev_1', maxRegression: 0.02 }],
  ['--baseline ev_1 --significant', { baseline: 'ev_1', significant: true }],
  [
    '--baseline ev_1 --significant --max-regression 0.02',
    { baseline: 'ev_1', significant: true, maxRegression: 0.02 },
  ],
])('%s', (text, request) => {
  expect(requestOf(...text.split(' ').filter(Boolean))).toEqual(request)
})

test.each([
  ['--max-regression 2pt', '--max-regression needs --baseline EVALUATION'],
  ['--significant', '--significant needs --baseline EVALUATION'],
  ['--baseline ev_1', '--baseline needs a rule: add --max-regression 2pt, --significant, or both'],
  ['--gate 1 --max-unscored 1 --allow-unscored', 'Give one of them'],
  ['--gate 1 --unscored failed --allow-unscored', 'Give one of them'],
  ['--gate 1 --unscored passed', 'failed, excluded'],
  ['--baseline ev_1 --max-regression 2%', 'use percentage points from 0pt to 100pt, such as 2pt'],
  ['--max-unscored 0.01', 'a number of samples, such as 3, or a percentage, such as 1%'],
])('%s is refused with the remedy', (text, refusal) => {
  expect(() => requestOf(...text.split(' '))).toThrow(refusal)
})

test('percentage points and limits', () => {
  expect(['0pt', '2pt', '2.5 pp', '100pt', '0.02', '1'].map(parsePoints)).toEqual([
    0, 0.02, 0.025, 1, 0.02, 1,
  ])
  for (const text of ['2', '-1pt', '101pt', '', 'pt', '2pts', '1e1pt'])
    expect(() => parsePoints(text)).toThrow('percentage points')
  expect(['0', '12', '0%', '2.5%', '100%'].map(parseUnscoredLimit)).toEqual([
    { maxUnscored: 0 },
    { maxUnscored: 12 },
    { maxUnscoredShare: 0 },
    { maxUnscoredShare: 0.025 },
    { maxUnscoredShare: 1 },
  ])
  for (const text of ['-1', '101%', '%', '', '1.5']) expect(() => parseUnscoredLimit(text)).toThrow('samples')
})
