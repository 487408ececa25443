/** The LLM-only baseline of Fig. 3 (section IV-B): a model writes programs from the documentation alone. */
import type { PaperRequest, PaperResults, PaperRun } from '@stateeval/program/presentation'

export const baselineRuns = (_request: PaperRequest, _results: PaperResults): PaperRun[] => []
export const baselineCurves = (_request: PaperRequest, _scenario: string, _results: PaperResults) =>
  [] as { name: string; values: number[] }[]
export const baselineNotes = (_request: PaperRequest, _results: PaperResults): string[] => []
