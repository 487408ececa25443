/**
 * The files of deploy/ci and the Dockerfiles, each held against the linter or the schema of its maker, and
 * JUnit XML against its schema. Runs with STATEEVAL_LONG=1: what it needs is fetched from PyPI and by Go.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import type { GateVerdict, ReportResult } from '@stateeval/contracts'
import fc from 'fast-check'
import { parse, stringify } from 'yaml'
import { formatReportJunit } from '../apps/cli/src/report/junit.ts'
import { exampleGate } from '../packages/contracts/src/examples/gate.ts'
import { root } from './generated.ts'
import {
  actionlint,
  findCommandFault,
  junitSchema,
  pythonTool,
  workflowTemplateSchema,
} from './pipelines/tools.ts'

const isLong = process.env['STATEEVAL_LONG'] !== undefined
if (!isLong) console.info('skipped: no linter sees the files of deploy/ci: scripts/test --long does it.')
const long = isLong ? test : test.skip

const scratch = mkdtempSync(join(tmpdir(), 'stateeval-pipelines-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const ci = (path: string) => join(root, 'deploy/ci', path)
const read = (path: string) => readFileSync(ci(path), 'utf8')
function writeScratch(name: string, text: string): string {
  writeFileSync(join(scratch, name), text)
  return join(scratch, name)
}

/** The workflow in a repository of its own that holds the action, so that its inputs are checked, too. */
function workflowFault(workflow: string): string | null {
  const repository = mkdtempSync(join(scratch, 'repository-'))
  for (const folder of ['.git', '.github/workflows', 'gate'])
    mkdirSync(join(repository, folder), { recursive: true })
  copyFileSync(ci('github/action.yml'), join(repository, 'gate/action.yml'))
  const file = join(repository, '.github/workflows/gate.yml')
  writeFileSync(file, workflow.replace(/uses: your-organisation\S+/, 'uses: ./gate'))
  return findCommandFault(actionlint(), ['-no-color', file])
}

long('GitHub: actionlint and the schemas accept the action and the workflow; a wrong input is found', () => {
  const check = pythonTool('check-jsonschema')
  expect(
    findCommandFault(check, ['--builtin-schema', 'vendor.github-actions', ci('github/action.yml')]),
  ).toBeNull()
  expect(
    findCommandFault(check, ['--builtin-schema', 'vendor.github-workflows', ci('github/workflow.yml')]),
  ).toBeNull()
  const workflow = read('github/workflow.yml')
  expect(workflowFault(workflow)).toBeNull()
  expect(workflowFault(workflow.replace('gate: 80%', 'gates: 80%'))).toContain('input "gates" is not defined')
})

long('hadolint finds nothing in the Dockerfiles, and an untagged base where there is one', () => {
  const files = ['deploy/Dockerfile', 'deploy/Dockerfile.gpu'].map((path) => join(root, path))
  expect(findCommandFault(pythonTool('hadolint'), files)).toBeNull()
  const untagged = writeScratch('Dockerfile', 'FROM node\nUSER 1000:1000\n')
  expect(findCommandFault(pythonTool('hadolint'), [untagged])).toContain('DL3006')
})

long('GitLab: its schema accepts the template, and no other keyword', () => {
  const args = ['--builtin-schema', 'vendor.gitlab-ci', '--data-transform', 'gitlab-ci']
  const check = pythonTool('check-jsonschema')
  const template = read('gitlab/stateeval.gitlab-ci.yml')
  // A hidden job may hold anything; a job that runs may not.
  const job = template.replace(/^\.stateeval:/m, 'gate:')
  expect(findCommandFault(check, [...args, writeScratch('gitlab.yml', job)])).toBeNull()
  const wrong = job.replace('when: always', 'when: ever')
  expect(findCommandFault(check, [...args, writeScratch('wrong.yml', wrong)])).not.toBeNull()
})

long('Argo Workflows: its own definition accepts the template, strictly', () => {
  const schema = writeScratch('argo.json', JSON.stringify(workflowTemplateSchema()))
  const fault = (text: string) =>
    findCommandFault(pythonTool('check-jsonschema'), [
      '--schemafile',
      schema,
      writeScratch('argo.yaml', text),
    ])
  const template = read('argo/stateeval.yaml')
  expect(fault(template)).toBeNull()
  expect(fault(template.replace('activeDeadlineSeconds', 'deadlineSeconds'))).toContain('deadlineSeconds')
})

long('Kubernetes: the schema of the API accepts the Job, strictly', () => {
  const job = parse(read('kubernetes/job.yaml')) as {
    metadata: { generateName: string }
    spec: { backoffLimit: number }
  }
  // The validator wants a name; the API server makes one.
  const named = { ...job, metadata: { ...job.metadata, name: job.metadata.generateName + 'x' } }
  const fault = (manifest: object) =>
    findCommandFault(pythonTool('kubernetes-validate'), [
      '--strict',
      writeScratch('job.yaml', stringify(manifest)),
    ])
  expect(fault(named)).toBeNull()
  expect(fault({ ...named, spec: { ...named.spec, retries: 1 } })).toContain('retries')
})

long('JUnit XML fits its schema, whatever models and benchmarks wrote', () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 })
  const sample = fc.record({ case: text, verdict: text, says: text, state: fc.integer({ min: 0, max: 2 }) })
  const files: string[] = []
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 5 }), text, fc.boolean(), (samples, says, hasGate) => {
      const scored = samples.filter(({ state }) => state < 2)
      const result: ReportResult = {
        digest: 'd',
        model: says,
        options: {},
        version: '1',
        overall: {
          passed: scored.filter(({ state }) => state === 0).length,
          scored: scored.length,
          rate: null,
          interval: null,
        },
        notScored: samples.length - scored.length,
        verdicts: {},
        rootCauses: {},
        groups: {},
        samples: samples.map((one, n) => ({
          case: one.case,
          sample: n,
          score:
            one.state === 2
              ? null
              : {
                  passed: one.state === 0,
                  verdict: one.verdict,
                  metrics: {},
                  evidence: { differences: [{ where: 'result', says: one.says }] },
                },
        })),
      }
      const gate: GateVerdict = { ...exampleGate, checks: [{ name: 'rate', passed: false, says }] }
      files.push(writeScratch(`${files.length}.xml`, formatReportJunit(result, hasGate ? gate : undefined)))
    }),
    { seed: 20250101, numRuns: 40 },
  )
  const args = ['--schema', junitSchema()]
  expect(findCommandFault(pythonTool('xmlschema-validate'), [...args, ...files])).toBeNull()
  const broken = readFileSync(files.at(-1)!, 'utf8').replace(' errors="0" skipped', ' skipped')
  expect(
    findCommandFault(pythonTool('xmlschema-validate'), [...args, writeScratch('broken.xml', broken)]),
  ).not.toBeNull()
})
