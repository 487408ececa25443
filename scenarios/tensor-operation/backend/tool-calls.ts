/**
 * The tensors of a tool session by name, and calls of the six functions on them: by the same code that
 * records programs, so that a call is checked and refused as a program's is. Each call is one graph, computed
 * at once; in a large world what RESULT names is computed at the end.
 */
import { isRecord, type JsonValue, type JsonObject, type ToolReply } from '@stateeval/contracts'
import { findTensorFault, hasSummary, isTensorLike, maxLargeElements } from '@stateeval/program'
import { InitialError } from '@stateeval/sandbox/initial-error'
import { createHandle, handles, isTensorParameter, tools } from '../tools.ts'
import type { GraphReply, WireGraph } from './graph/wire.ts'
import { functional, torch } from './torch/functions.ts'
import { gather, type GraphNode } from './torch/graph.ts'
import { surface } from './torch/index.ts'
import type { Tensor } from './torch/tensor.ts'

interface ToolCallOptions {
  run(graph: WireGraph): Promise<GraphReply>
  /** True if elements are computed only for what RESULT needs. */
  isLarge: boolean
  /** The most elements of a tensor, and the bytes of all of them together. */
  elements: number
  bytes: number
}

/**
 * Question of the recording code to its host: how large may a tensor be? A call checks its own world's bound.
 */
const { decode } = surface({
  call: () => Promise.reject(new Error('calls of tools ask nothing')),
  callSync(name) {
    if (name === 'elements') return maxLargeElements
    throw new Error(`a call of a tool asks for no ${name}`)
  },
})

type ToolFunction = (options: Record<string, unknown>) => unknown
const functions = new Map(
  tools.map(({ name }) => [name, (torch[name] ?? functional[name]) as ToolFunction] as const),
)

/** A call’s fault, in words for who called. */
class CallFault extends Error {
  override readonly name = 'ValueError'
}

export class ToolCalls {
  readonly #options: ToolCallOptions
  readonly #tensors = new Map<string, Tensor>()
  #results = 0
  #bytes = 0

  constructor(options: ToolCallOptions) {
    this.#options = options
  }

  take(variables: Readonly<Record<string, JsonValue>>): Readonly<Record<string, JsonValue>> {
    for (const [name, value] of Object.entries(variables))
      if (isTensorLike(value)) this.#tensors.set(name, createInitialTensor(name, value))
    return handles.show(variables)
  }

  /** Rejects with what is wrong on our side. */
  async call(tool: string, args: JsonObject): Promise<ToolReply> {
    const refused = (name: string, message: string): ToolReply => ({
      content: `${name}: ${message}`,
      error: true,
    })
    const body = functions.get(tool)
    if (!body)
      return refused(
        'NameError',
        `there is no function ${JSON.stringify(tool.slice(0, 60))}; available: ${[...functions.keys()].join(', ')}`,
      )
    try {
      const output = body(this.#argumentsOf(args))
      const tensors = (Array.isArray(output) ? output : [output]) as Tensor[]
      await this.#compute(tensors)
      const base = this.#nameOf(`result_${++this.#results}`)
      const shown = tensors.map((tensor, at) => {
        const name = Array.isArray(output) ? this.#nameOf(`${base}_${at}`) : base
        this.#tensors.set(name, tensor)
        const { data } = tensor.node
        const value = { dtype: tensor.dtype.name, shape: tensor.shape, ...(data !== undefined && { data }) }
        return createHandle(name, value)
      })
      return { content: JSON.stringify(Array.isArray(output) ? shown : shown[0]) }
    } catch (error) {
      if (error instanceof Error && isCallers(error)) return refused(error.name, error.message)
      throw error
    }
  }

  /** RESULT with the tensors that it names. Rejects with a RangeError where they are too large. */
  async resolve(result: JsonValue): Promise<JsonValue> {
    const named: Tensor[] = []
    const look = (value: JsonValue): JsonValue | (() => JsonValue) => {
      const name = readTensorName(value)
      const tensor = name === undefined ? undefined : this.#tensors.get(name)
      if (tensor) {
        named.push(tensor)
        return () => describeTensorValue(tensor)
      }
      if (Array.isArray(value)) return value.map((item) => look(item)) as JsonValue
      if (!isRecord(value)) return value
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, look(item)])) as JsonValue
    }
    const put = (value: unknown): JsonValue => {
      if (typeof value === 'function') return (value as () => JsonValue)()
      if (Array.isArray(value)) return value.map(put)
      if (!isRecord(value)) return value as JsonValue
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, put(item)]))
    }
    const template = look(result)
    const { graph, outputs } = gather(
      named.map(({ node }) => node),
      true,
    )
    if (outputs.length > 0)
      try {
        await this.#run({ ...graph, summarize: true }, outputs)
      } catch (error) {
        if (error instanceof Error && isCallers(error)) throw new RangeError(error.message)
        throw error
      }
    return put(template)
  }

  #argumentsOf(args: JsonObject): Record<string, unknown> {
    const tensorOf = (value: JsonValue, parameter: string): unknown => {
      if (value === null) return null
      if (Array.isArray(value)) return value.map((item) => tensorOf(item, parameter))
      const name = readTensorName(value)
      if (name === undefined) throw new CallFault(`${parameter} takes the name of a tensor`)
      const tensor = this.#tensors.get(name)
      if (tensor) return tensor
      const names = [...this.#tensors.keys()].slice(0, 50).join(', ')
      throw new CallFault(`there is no tensor ${JSON.stringify(name.slice(0, 60))}; available: ${names}`)
    }
    return Object.fromEntries(
      Object.entries(args).map(([parameter, value]) => [
        parameter,
        isTensorParameter(parameter) ? tensorOf(value, parameter) : (value ?? undefined),
      ]),
    )
  }

  async #compute(tensors: readonly Tensor[]) {
    const { elements, isLarge, bytes } = this.#options
    for (const { shape, dtype } of tensors) {
      const count = shape.reduce((product, size) => product * size, 1)
      if (count > elements)
        throw new CallFault(
          `a tensor may have ${elements} elements here, not ${count} (shape [${shape.join(', ')}])`,
        )
      this.#bytes += isLarge ? 0 : count * dtype.bytes
    }
    if (this.#bytes > bytes)
      throw new CallFault(`the tensors of the session have more than ${bytes} bytes together`)
    if (isLarge) return
    const { graph, outputs } = gather(tensors.map(({ node }) => node))
    if (outputs.length > 0) await this.#run(graph, outputs)
  }

  async #run(graph: WireGraph, outputs: readonly GraphNode[]) {
    const reply = await this.#options.run(graph)
    outputs.forEach((node, at) => {
      const output = reply.outputs[at]!
      if ('data' in output) node.data = output.data
      else node.summary = output.summary
    })
  }

  /** A name that nothing has yet. */
  #nameOf(name: string): string {
    return this.#tensors.has(name) ? this.#nameOf(`${name}_`) : name
  }
}

/** The tensor of a variable. Throws an InitialError where it is none, or none that can be computed here. */
function createInitialTensor(name: string, value: JsonValue): Tensor {
  const fault =
    findTensorFault(value, { elements: maxLargeElements }) ??
    (hasSummary(value) ? 'has a summary in the place of its values' : null)
  if (fault !== null) throw new InitialError(`variables.${name} ${fault}`)
  try {
    return decode!(value) as Tensor
  } catch (error) {
    if (error instanceof Error && isCallers(error))
      throw new InitialError(`variables.${name}: ${error.message}`)
    throw error
  }
}

/** The name in a value that stands for a tensor: the name itself, or the object that a reply showed. */
const readTensorName = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string'
    ? value
    : isRecord(value) && typeof value['tensor'] === 'string'
      ? value['tensor']
      : undefined

function describeTensorValue({ node, dtype, shape }: Tensor): JsonValue {
  const { data, summary } = node
  return {
    $tensor: { dtype: dtype.name, shape, ...(data === undefined ? { summary: summary! } : { data }) },
  }
}

/** Errors that PyTorch's functions, our checks of graphs, or this file raise for a call. */
const callErrors = ['RuntimeError', 'TypeError', 'ValueError', 'IndexError', 'NotImplementedError']
const isCallers = (error: Error) => callErrors.includes(error.name)
