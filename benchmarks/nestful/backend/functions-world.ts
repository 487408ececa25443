/**
 * The world `functions`: runs lists of calls over the functions that are implemented here, or against a mock
 * made of specifications. It is stateless, and hostile lists are bounded where they are run. Python programs
 * over a user's own functions have no channel to it.
 */
import type { JsonObject, ModelTool, ToolReply } from '@stateeval/contracts'
import type { MakeWorld, SandboxWorld } from '@stateeval/sandbox'
import type { ApiSpecification } from '../dataset/library.ts'
import type { ListedCall } from '../functions/calls.ts'
import { runMock } from '../functions/mock.ts'
import { functions, runFunctions, type RunTool } from '../functions/run.ts'

const calls = { type: 'array', description: 'Names, labels, and arguments as JSON texts' }
const tools: readonly ModelTool[] = [
  {
    name: 'run_functions',
    description: `Runs a list of calls over functions: ${Object.keys(functions).join(', ')}`,
    parameters: {
      type: 'object',
      properties: {
        calls,
        tools: { type: 'array', description: 'Name, parameters and outputs of each function' },
        rules: { type: 'string', enum: ['published', 'sound'] },
      },
      required: ['calls', 'tools', 'rules'],
    },
  },
  {
    name: 'run_mock',
    description: 'Runs a list of calls against a mock made of API specifications',
    parameters: {
      type: 'object',
      properties: {
        calls,
        apis: { type: 'array', description: 'Specifications, as an imported set has them' },
      },
      required: ['calls', 'apis'],
    },
  },
]

export const createFunctionsWorld: MakeWorld = (): SandboxWorld => ({
  id: 'functions',
  languages: ['python'],
  tools: () => tools,
  open: () =>
    Promise.resolve({
      channel: { kind: 'none' },
      call: (tool: string, args: JsonObject) => Promise.resolve(createToolReply(tool, args)),
      observe: () =>
        Promise.resolve({
          world: { state: null, ids: { initial: [], created: [] }, gone: [] },
          log: [],
          faults: [],
        }),
      close: () => Promise.resolve(),
    }),
  close: () => Promise.resolve(),
})

function createToolReply(tool: string, args: JsonObject): ToolReply {
  const { calls: list, tools: toolList, apis, rules } = args as unknown as Partial<WorldRequest>
  if (!Array.isArray(list) || !list.every(isCall))
    return refuseFunctionCall('`calls` must be a list of calls')
  if (tool === 'run_functions') {
    if (!Array.isArray(toolList) || !toolList.every(isTool))
      return refuseFunctionCall('`tools` must be a list of functions')
    if (rules !== 'published' && rules !== 'sound')
      return refuseFunctionCall('`rules` must be published or sound')
    return { content: JSON.stringify(runFunctions(list, toolList, rules)) }
  }
  if (tool !== 'run_mock')
    return refuseFunctionCall(`there is no tool ${tool.slice(0, 60)}; available: run_functions, run_mock`)
  if (!Array.isArray(apis) || !apis.every(isApi))
    return refuseFunctionCall('`apis` must be a list of specifications')
  return { content: JSON.stringify(runMock(list, new Map(apis.map((api) => [api.name, api])))) }
}
interface WorldRequest {
  calls: ListedCall[]
  tools: RunTool[]
  apis: ApiSpecification[]
  rules: string
}
const refuseFunctionCall = (content: string): ToolReply => ({ content, error: true })
const isText = (value: unknown) => typeof value === 'string'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCall = (value: unknown): value is ListedCall =>
  isObject(value) &&
  isText((value as ListedCall).name) &&
  isText((value as ListedCall).arguments) &&
  ((value as ListedCall).label === undefined || isText((value as ListedCall).label))
const isTool = (value: unknown): value is RunTool =>
  isObject(value) &&
  isText((value as RunTool).name) &&
  isTexts((value as RunTool).parameters) &&
  isTexts((value as RunTool).outputs)
const isApi = (value: unknown): value is ApiSpecification =>
  isObject(value) &&
  isText((value as ApiSpecification).name) &&
  isObject((value as ApiSpecification).outputs) &&
  isObject((value as ApiSpecification).parameters) &&
  Object.values((value as ApiSpecification).parameters).every(isObject)
