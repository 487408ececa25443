/** A caller of the service, as anybody could write one: over HTTP only. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@jest/globals'
import {
  type BenchmarkFolder,
  type BenchmarkResource,
  type Case,
  computeContentId,
  type EvaluationResource,
  type Manifest,
  type Report,
  sha256,
} from '@stateeval/contracts'
import { emit } from '@stateeval/program'
import { type Script, type ScriptedRequest, until } from '@stateeval/testkit'

export interface Caller {
  call<T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T; text: string }>
  get<T>(path: string): Promise<T>
  /** A build that has ended; `terms` stand beside its options. */
  buildSet(build: object, terms?: object): Promise<BenchmarkResource>
  /** Imports the first cases of the sample benchmark, for tests that need any set: a build takes seconds. */
  importSample(count?: number): Promise<BenchmarkResource>
  cases(benchmark: string): Promise<Case[]>
  /** Names a model at an endpoint. */
  model(name: string, settings: object): Promise<void>
  begin(request: object): Promise<EvaluationResource>
  ended(id: string): Promise<EvaluationResource>
  report(id: string): Promise<Report>
  /** The report of an evaluation whose samples are scored again. */
  rescored(id: string, request?: object): Promise<Report>
}

const over = ({ status }: { status: string }) => status !== 'running' && status !== 'queued'

const sample = join(import.meta.dirname, '../../../benchmarks/stateeval/sample')
/** Returns the sample benchmark with its first `count` cases only. */
function shortenSample(count: number): BenchmarkFolder {
  const read = (name: string) => readFileSync(join(sample, name), 'utf8')
  const cases = read('cases.jsonl').split('\n').slice(0, count).join('\n') + '\n'
  const { digest: _, ...manifest } = JSON.parse(read('manifest.json')) as Manifest
  const about = {
    ...manifest,
    counts: { generated: count, passed: count, kept: count },
    statistics: [],
    files: { 'cases.jsonl': sha256(cases) },
  }
  return { manifest: { ...about, digest: computeContentId(about) }, cases }
}

export function callerAt(base: () => string): Caller {
  const ended = async <T extends { status: string }>(path: string): Promise<T> => {
    const now = async () => ((one) => over(one) && one)(await caller.get<T>(path))
    return (await until(now, { withinMs: 1_500_000 })) as T
  }
  const caller: Caller = {
    async call<T>(method: string, path: string, body?: unknown) {
      const response = await fetch(`${base()}${path}`, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      })
      const text = await response.text()
      const json = /[/+]json(;|$)/.test(response.headers.get('content-type') ?? '')
      return { status: response.status, body: (json ? JSON.parse(text) : null) as T, text }
    },
    get: async (path) => (await caller.call<never>('GET', path)).body,
    async buildSet(build, terms = {}) {
      const { status, body } = await caller.call<BenchmarkResource>('POST', '/v1/benchmarks', {
        build,
        ...terms,
      })
      expect([status, status === 202 || body]).toEqual([202, true])
      return ended<BenchmarkResource>(`/v1/benchmarks/${body.id}`)
    },
    async importSample(count = 2) {
      const path = '/v1/benchmarks/import'
      const { status, body } = await caller.call<BenchmarkResource>('POST', path, shortenSample(count))
      expect([status, status === 201 || body]).toEqual([201, true])
      return body
    },
    async cases(benchmark) {
      const { items, next } = await caller.get<{ items: Case[]; next?: string }>(
        `/v1/benchmarks/${benchmark}/cases?limit=500`,
      )
      expect(next).toBeUndefined()
      return items
    },
    async model(name, settings) {
      const { status, body } = await caller.call('PUT', `/v1/models/${name}`, settings)
      expect([status, status === 200 || body]).toEqual([200, true])
    },
    async begin(request) {
      const { status, body } = await caller.call<EvaluationResource>('POST', '/v1/evaluations', request)
      expect([status, status === 202 || body]).toEqual([202, true])
      return body
    },
    ended: (id) => ended<EvaluationResource>(`/v1/evaluations/${id}`),
    report: (id) => caller.get(`/v1/evaluations/${id}/report`),
    async rescored(id, request = {}) {
      const path = `/v1/evaluations/${id}/rescore`
      const { status, body } = await caller.call<EvaluationResource>('POST', path, request)
      expect([status, status === 202 || body]).toEqual([202, true])
      expect(await caller.ended(body.id)).toMatchObject({ status: 'succeeded', rescored: id })
      return caller.report(body.id)
    },
  }
  return caller
}

/** Which case a prompt is about. */
export const caseIn = (cases: readonly Case[], { messages }: Pick<ScriptedRequest, 'messages'>): Case => {
  const text = messages.map(({ content }) => content).join('\n')
  const match = cases.find(({ instruction }) => text.includes(instruction.trim()))
  if (!match) throw new Error('the prompt is of no case')
  return match
}

/**
 * A model that solves half of the cases, writes broken code for some and none for others: always the same for
 * the same case.
 */
export function solver(cases: readonly Case[]) {
  return (request: ScriptedRequest): Script => {
    const c = caseIn(cases, request)
    const code = emit(c.program, 'javascript') ?? ''
    switch (cases.indexOf(c) % 6) {
      case 0:
        return { say: 'I would rather not.' }
      case 1:
        return { say: '```javascript\nthrow new Error("no")\n```' }
      case 2:
        return { say: '```javascript\nRESULT = {}\n```' }
      default:
        return { say: `Here it is:\n\n\`\`\`javascript\n${code}\n\`\`\`` }
    }
  }
}

/**
 * Every fifth request fails in one of six ways; which ones is drawn from their number, so a run can be
 * repeated.
 */
export function faulty(rule: (request: ScriptedRequest) => Script): (request: ScriptedRequest) => Script {
  const faults: Script[] = [
    { status: 429, headers: { 'retry-after': '0.2' } },
    { status: 429, headers: { 'retry-after-ms': '50' } },
    { status: 500 },
    { close: true },
    { garbage: '{"choices": [{"message": {"cont' },
    { truncated: 'const { data } = await axios.g' },
  ]
  return (request) => {
    const draw = Number.parseInt(sha256(`fault/${request.count}`).slice(0, 8), 16)
    return draw % 5 === 0 ? (faults[Math.floor(draw / 5) % faults.length] as Script) : rule(request)
  }
}
