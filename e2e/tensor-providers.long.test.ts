/**
 * Tensors on a GPU's code path (SwiftShader) and on the CPU, through the whole suite: a set built on one
 * holds on the other, and a report's result is the same wherever its tensors were computed.
 */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { toJson, type Case, type Report, type RuntimeInfo } from '@stateeval/contracts'
import { judgeInput } from '@stateeval/score'
import { tensorOperation } from '@stateeval/scenario-tensor-operation'
import { isLong, type Servers, startServers, startSuite, type Suite } from '@stateeval/testkit'
import { callerAt } from '../services/evaluation/test/over-http.ts'

const keep = isLong ? 40 : 2
const folders = [join(homedir(), '.cache/stateeval/swiftshader'), '/usr/lib/chromium']
const folder = folders.find((path) => existsSync(join(path, 'vk_swiftshader_icd.json')))
if (folder === undefined)
  console.warn(
    `skipped: there is no SwiftShader in ${folders.join(' or ')}; scripts/test gets it from Debian`,
  )

let servers: Servers
let suite: Suite
let execution: Suite
const evaluation = callerAt(() => suite.urls['evaluation']!)
const runtime = callerAt(() => execution.urls['execution']!)

/** The suite's execution service, whose tensors this provider computes. */
async function computeOn(provider: string) {
  await execution?.stop()
  const env = { STATEEVAL_NAMESPACE: suite.env['STATEEVAL_NAMESPACE'], STATEEVAL_TENSOR_PROVIDER: provider }
  execution = await startSuite({ servers, only: ['execution'], env })
  await Promise.all(Object.values(execution.services).map(({ platform }) => platform.bus.ready()))
}
const buildSet = async (scenarioOptions?: Record<string, number>, cases = keep) => {
  const { id, manifest } = await evaluation.buildSet({
    scenario: 'tensor-operation',
    programs: Math.ceil(cases * 1.5),
    keep: cases,
    seed: 1,
    languages: ['javascript'],
    ...(scenarioOptions && { scenarioOptions }),
  })
  expect(manifest?.counts.kept).toBe(cases)
  return { id, filtered: manifest!.filtered, cases: await evaluation.cases(id) }
}
async function report(benchmark: string, model: object): Promise<Report> {
  const { id } = await evaluation.begin({ benchmark, language: 'javascript', ...model })
  await evaluation.ended(id)
  return evaluation.report(id)
}
const reference = { model: 'reference' }
/** Of these the evidence shows what was computed, too. */
const mutants = { model: 'mutant', samples: 1, seed: 1 }

;(folder === undefined ? describe.skip : describe)('tensors on the CPU and on webgpu', () => {
  beforeAll(async () => {
    process.env['LD_LIBRARY_PATH'] = folder
    process.env['VK_DRIVER_FILES'] = join(folder!, 'vk_swiftshader_icd.json')
    servers = await startServers()
    suite = await startSuite({ servers, only: ['trace-generation', 'translation', 'scoring', 'evaluation'] })
    await Promise.all(Object.values(suite.services).map(({ platform }) => platform.bus.ready()))
  })
  afterAll(async () => {
    await execution?.stop()
    await suite?.stop()
    await servers?.stop()
  })

  test(`${keep} cases that were built on one hold on the other, and reports differ only in how they came about`, async () => {
    await computeOn('cpu')
    const onCpu = await buildSet()
    const before = await report(onCpu.id, mutants)
    expect(Object.keys(before.run.tensorProviders!)).toEqual(['cpu'])

    await computeOn('webgpu')
    expect(await runtime.get<RuntimeInfo>('/v1/runtime')).toMatchObject({ tensorProvider: 'webgpu' })
    // A default run builds on the CPU alone, and evaluates on both.
    if (isLong) {
      const onDevice = await buildSet()
      expect(onDevice.filtered).toEqual(onCpu.filtered)
      expect(onDevice.cases.map(({ instruction }) => instruction)).toEqual(
        onCpu.cases.map(({ instruction }) => instruction),
      )
      onCpu.cases.forEach((one, at) => expect(differing(one, onDevice.cases[at]!)).toEqual([]))
    }

    const now = await report(onCpu.id, mutants)
    expect(toJson(now.result)).toEqual(toJson(before.result))
    expect(now.run.tensorProviders).toEqual({ webgpu: before.run.tensorProviders!['cpu'] })
    // Asked for by name, where the service would choose otherwise.
    const asked = await report(onCpu.id, { ...mutants, provider: 'cpu' })
    expect(toJson(asked.result)).toEqual(toJson(before.result))
    expect(asked.run).toMatchObject({ provider: 'cpu', tensorProviders: before.run.tensorProviders })
    expect((await report(onCpu.id, reference)).result.overall).toMatchObject({ scored: keep, passed: keep })
  })

  const whenLong = isLong ? test : test.skip
  whenLong('a set of large tensors: its reference passes on both, and mutants fail', async () => {
    const cases = 4
    await computeOn('cpu')
    const { id, cases: built } = await buildSet({ elements: 2_000_000 }, cases)
    expect(JSON.stringify(built[0]!.oracles)).toContain('"summary"')
    const { result } = await report(id, { model: 'mutant', samples: 6, seed: 1 })
    expect(result.mutation).toMatchObject({ survived: 0, disputed: 0 })
    expect(result.mutation!.caught).toBeGreaterThan(cases)
    for (const provider of ['cpu', 'webgpu']) {
      await computeOn(provider)
      const { result: passed, run } = await report(id, reference)
      expect(passed.overall).toMatchObject({ scored: cases, passed: cases })
      expect(Object.keys(run.tensorProviders!)).toEqual([provider])
    }
  })
})

/** The oracles of the second that the first's would not let pass. */
function differing({ program, oracles }: Case, { oracles: others }: Case): unknown[] {
  const comparison = tensorOperation.compareFor!(program)
  return oracles.flatMap((oracle, input) => {
    const { result, world } = others[input]!
    const outcome = { ending: { status: 'completed' as const, result }, world }
    const { verdict, evidence } = judgeInput(oracle, { ...plain, ...outcome }, comparison)
    return verdict === 'passed' ? [] : [evidence]
  })
}
const plain = { log: [], output: '', faults: [], wallMs: 0, sandbox: 'none' }
