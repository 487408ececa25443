import { expect, test } from '@jest/globals'
import { maxReportBytes, maxReason, partsOf, readReport, reportText, type WarmReport } from './protocol.ts'

const report = (timings: unknown) =>
  readReport(
    JSON.stringify({ outcome: null, out: '', err: '', tainted: false, cpuMs: 1, timings }),
  ) as WarmReport

test('both runners’ words for the parts of a run are understood', () => {
  expect(partsOf(report({ startMs: 1, runMs: 2 }))).toEqual({ start: 1, run: 2 })
  expect(partsOf(report({ forkMs: 1, runMs: 2, cleanupMs: 3 }))).toEqual({ start: 1, run: 2, cleanup: 3 })
})

test('a runner can neither name parts nor give them times that there are not', () => {
  expect(
    partsOf(report({ [`x"} 1\n`]: 1, runMs: -1, startMs: '7', constructor: 5, cleanupMs: null })),
  ).toEqual({})
  expect(partsOf(report([1, 2]))).toEqual({})
  expect(partsOf(report(undefined))).toEqual({})
})

test('a report is never longer than its frame, whatever a program has said', () => {
  const job = { resultBytes: 1024, outputBytes: 1024 }
  const whole = report({})
  expect(reportText(whole, job)).toBe(JSON.stringify(whole))
  for (const part of ['outcome', 'out', 'err', 'violation', 'bail'] as const)
    for (const character of ['x', '"', '\u0001', '☃', '\ud800']) {
      const text = reportText({ ...whole, [part]: character.repeat(1e6) }, job)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxReportBytes(job))
      expect(readReport(text)).toMatchObject({ bail: 'a report longer than a frame', outcome: null })
    }
})

test('of a reason, only so much is kept', () => {
  const { bail } = readReport(JSON.stringify({ ...report({}), bail: 'x'.repeat(1e6) })) as WarmReport
  expect(bail!.length).toBe(maxReason)
})
