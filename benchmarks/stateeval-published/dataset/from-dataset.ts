/**
 * The published data as a set of test cases: validated, counted, hashed. What is broken is named by file and
 * field; what can't be run here is left out and told.
 */
import { ProblemError, sha256 } from '@stateeval/contracts'
import { computeSpread, listArtifacts, type DatasetSet, measureReleased } from '@stateeval/program'
import { kind, formatPublishedCase, type PublishedCase, scenarioNames, scenarios } from '../case.ts'
import { version } from '../version.ts'
import { readEvaluator } from './evaluator.ts'
import { findFlags } from './flags.ts'
import { type CaseEntry, readFileEntries } from './forms.ts'
import { rejectPlace, LeftOut, formatPlace } from './problem.ts'
import { formatPublishedReadme } from './readme.ts'
import type { TensorFiles } from './tensors.ts'
import { readTranslation } from './translation.ts'

/** Warnings that a set is stored with; more are counted. */
const maxWarnings = 100

export function importPublished(files: Readonly<Record<string, string>>): DatasetSet {
  const entries = readFileEntries(files)
  if (entries.length === 0)
    throw new ProblemError(
      'unprocessable',
      'the folder contains no cases; add folders of evaluator_<n>.json with agent_data/agent_data.json, or rows of the data set as JSON lines',
      '/files',
    )
  const artifacts: TensorFiles = {}
  const warnings: string[] = []
  const leftOut = new Map<string, { scenario: string; reason: string; count: number }>()
  const cases = entries.flatMap((entry): PublishedCase[] => {
    const caseFiles: TensorFiles = {}
    try {
      const c = buildCase(entry, caseFiles)
      Object.assign(artifacts, caseFiles)
      warnings.push(...entry.warnings.map((says) => `${c.id}: ${says}`))
      return [c]
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error
      warnings.push(error.message)
      const scenario = error.scenario ?? 'all'
      const previous = leftOut.get(`${scenario}/${error.reason}`) ?? {
        scenario,
        reason: error.reason,
        count: 0,
      }
      leftOut.set(`${scenario}/${error.reason}`, { ...previous, count: previous.count + 1 })
      return []
    }
  })
  const twice = cases.find(({ id }, at) => cases.findIndex((other) => other.id === id) !== at)
  if (twice)
    rejectPlace(
      { file: twice.task.from, field: '' },
      `has the case ${twice.id}, which is already imported; import each data set separately`,
    )
  if (cases.length === 0)
    throw new ProblemError(
      'unprocessable',
      `no case can be imported: ${warnings.slice(0, 3).join('; ')}`,
      '/files',
    )
  const sources = Object.fromEntries(Object.entries(files).map(([file, text]) => [file, sha256(text)]))
  const about: DatasetSet['about'] = {
    seed: 0,
    options: { sources },
    versions: { [`benchmark ${kind}`]: version },
    counts: { generated: entries.length, passed: cases.length, kept: cases.length },
    filtered: [...leftOut.values()].map((one) => ({ ...one, phase: 'import' })),
    statistics: scenarioNames.flatMap((name) => computeScenarioStatistics(name, cases)),
  }
  return {
    lines: cases.map(formatPublishedCase),
    artifacts,
    about,
    readme: formatPublishedReadme(about, cases, warnings),
    warnings: [
      ...warnings.slice(0, maxWarnings),
      ...(warnings.length > maxWarnings ? [`and ${warnings.length - maxWarnings} more`] : []),
    ],
  }
}

function buildCase(
  { number, place, evaluator, translation, prompt }: CaseEntry,
  files: TensorFiles,
): PublishedCase {
  const { scenario, tests } = readEvaluator(evaluator, place, files)
  const out = (reason: string, says: string) => new LeftOut(place, reason, says, scenarios[scenario])
  if (!translation && prompt === undefined)
    throw out('no instruction', 'has no instruction in agent_data.json: the case is left out')
  const reading = translation && readTranslation(translation.value, translation.place)
  if (reading && !reading.loosely)
    throw out(
      'instruction rejected',
      'has an instruction that was not accepted (the last judgement has no OK): the case is left out',
    )
  const hashes = listArtifacts(tests)
  if (hashes.length > 64)
    throw out('too many tensors', `has ${hashes.length} large tensors; a case may have 64`)
  const accepted = reading?.strictly ?? true
  const flags = [
    ...findFlags(scenario, tests),
    ...(reading?.unjudged ? ['unjudged'] : []),
    ...(accepted ? [] : ['not_accepted']),
  ]
  return {
    id: `${scenario}-${number}`,
    kind,
    group: scenarios[scenario],
    instruction: reading?.instruction ?? 'The data set contains only the whole prompt.',
    task: {
      scenario,
      from: formatPlace(place),
      tests,
      ...(prompt !== undefined && { prompt }),
      accepted,
      flags,
    },
    ...(hashes.length > 0 && { artifacts: hashes }),
  }
}

function computeScenarioStatistics(name: (typeof scenarioNames)[number], cases: readonly PublishedCase[]) {
  const members = cases.filter(({ task }) => task.scenario === name)
  if (members.length === 0) return []
  const branches = members.filter(({ task }) => /^if\b/m.test(task.tests[0]!.program)).length
  return [
    {
      scenario: scenarios[name],
      cases: members.length,
      apis: collectApis(members),
      branches,
      metrics: computeReleasedMeasures(members),
    },
  ]
}

/** Table I by the authors' analyser; the names are those of StateEval's own sets. */
function computeReleasedMeasures(cases: readonly PublishedCase[]) {
  const measures = cases.map(({ task }) => measureReleased(task.tests[0]!.program))
  return {
    releasedBindingCount: computeSpread(measures.map(({ bindingCount }) => bindingCount)),
    releasedFunctionCalls: computeSpread(measures.map(({ functionCalls }) => functionCalls)),
    releasedPathDepth: computeSpread(measures.map(({ pathDepth }) => pathDepth)),
  }
}

const api =
  /\b(?:requests\.\w+|torch\.(?:nn\.functional\.)?\w+|search_voice_library|text_to_speech|speech_to_speech|speech_to_text|isolate_audio|make_outbound_call)(?=\()/g
const collectApis = (cases: readonly PublishedCase[]) =>
  new Set(cases.flatMap(({ task }) => task.tests[0]!.program.match(api) ?? [])).size
