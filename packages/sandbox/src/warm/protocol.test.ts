import { expect, test } from '@jest/globals'
import { partsOf, readReport, type WarmReport } from './protocol.ts'

const report = (timings: unknown) =>
  readReport(JSON.stringify({ outcome: null, out: '', err: '', tainted: false, cpuMs: 1, timings })) as WarmReport

test('both runners’ words for the parts of a run are understood', () => {
  expect(partsOf(report({ startMs: 1, runMs: 2 }))).toEqual({ start: 1, run: 2 })
  expect(partsOf(report({ forkMs: 1, runMs: 2, cleanupMs: 3 }))).toEqual({ start: 1, run: 2, cleanup: 3 })
})

test('a runner can neither name parts nor give them times that there are not', () => {
  expect(partsOf(report({ [`x"} 1\n`]: 1, runMs: -1, startMs: '7', constructor: 5, cleanupMs: null }))).toEqual({})
  expect(partsOf(report([1, 2]))).toEqual({})
  expect(partsOf(report(undefined))).toEqual({})
})
