/** Cases in the published form from programs of our own, and the set that an import makes of them. */
import type { ExecutionInput } from '@stateeval/contracts'
import { defaultOptions, generate, type GenerateOptions } from '@stateeval/generate'
import { type DatasetSet, buildInput, resolveTensors, type Scenario } from '@stateeval/program'
import { elevenLabsMcp } from '@stateeval/scenario-elevenlabs-mcp'
import { sessionService } from '@stateeval/scenario-session-service'
import { makeTensorOperation } from '@stateeval/scenario-tensor-operation'
import { type PublishedCase, type ScenarioName } from '../case.ts'
import { importPublished } from '../dataset/from-dataset.ts'
import { stateevalPublished } from '../index.ts'
import { writeSession } from './writer/session.ts'
import { writeTensor } from './writer/tensor.ts'
import { writeVoice } from './writer/voice.ts'
import { buildCaseFiles, type WrittenSource, type WrittenTest } from './writer/write.ts'

export const long = process.env['STATEEVAL_LONG'] !== undefined

/** Tensors are small: what is tested is the form, not PyTorch's speed. */
const ours: Readonly<Record<ScenarioName, Scenario>> = {
  session: sessionService,
  tensor: makeTensorOperation({ elements: 256 }),
  voice: elevenLabsMcp,
}

/** Of tensors every other case is written as later versions write them. */
const write: Readonly<Record<ScenarioName, (source: WrittenSource, n: number) => WrittenTest[] | null>> = {
  session: (source) => writeSession(source),
  tensor: (source, n) => writeTensor(source, n % 2 === 0 ? 'lists' : 'base64'),
  voice: (source) => writeVoice(source),
}

function* sources(name: ScenarioName, options: Partial<GenerateOptions>): Generator<WrittenSource> {
  const scenario = ours[name]
  for (let seed = 0; ; seed++)
    for (const { program, flags, artifacts = {} } of generate(scenario, {
      ...defaultOptions,
      strategy: 'coverage',
      count: 40,
      seed: 7000 + seed,
      ...options,
    })) {
      const flips = program.branch && !flags.includes('dead_branch')
      const inputs = (flips ? ([0, 1] as const) : ([0] as const)).map((choice): ExecutionInput => {
        const resolved = resolveTensors(buildInput(program, choice), (id) => artifacts[id])
        if (!resolved.ok) throw new Error(resolved.says)
        return resolved.value
      })
      yield { program, scenario, inputs }
    }
}

/** The files of a scenario's folder, with gaps in the numbers as published ones have them. */
export function ownFiles(
  name: ScenarioName,
  count: number,
  options: Partial<GenerateOptions> = {},
): Record<string, string> {
  const files: Record<string, string> = {}
  const agents: Record<string, unknown> = {}
  for (const source of sources(name, options)) {
    const at = Object.keys(agents).length
    if (at === count) break
    const tests = write[name](source, at)
    if (!tests) continue
    const number = at + Math.floor(at / 3)
    const texts = buildCaseFiles(tests)
    files[`${name}/evaluator_${number}.json`] = JSON.stringify(texts.evaluator)
    agents[number] = texts.agents
  }
  files[`${name}/agent_data/agent_data.json`] = JSON.stringify(agents)
  return files
}

export const benchmarkOf = ({ artifacts }: Pick<DatasetSet, 'artifacts'>) =>
  stateevalPublished({
    scenario: () => {
      throw new Error('no scenario is needed')
    },
    artifact: (hash) => artifacts[hash]!,
  })

/** A set as an import makes it, with its cases read back from their lines. */
export function imported(files: Readonly<Record<string, string>>) {
  const set = importPublished(files)
  const benchmark = benchmarkOf(set)
  return { set, benchmark, cases: set.lines.map((line): PublishedCase => benchmark.parse(line)) }
}
