/** ONNX models as bytes: the few messages of onnx.proto that a graph needs. */
import protobuf from 'protobufjs/minimal.js'
import type { ElementType } from './check.ts'

const { Writer } = protobuf
type Writing = InstanceType<typeof Writer>

/** TensorProto.DataType. */
export const elementTypes: Readonly<Record<ElementType, number>> = {
  float32: 1,
  int32: 6,
  int64: 7,
  bool: 9,
  float64: 11,
}
/** AttributeProto.AttributeType. */
const kinds = { int: 2, ints: 7, string: 3 } as const
const irVersion = 8
const opset = 18

export interface OnnxNode {
  type: string
  inputs: readonly string[]
  outputs: readonly string[]
  attributes?: Readonly<Record<string, number | readonly number[] | string>>
}
export interface OnnxValue {
  name: string
  dtype: ElementType
  shape: readonly number[]
}
export interface OnnxGraph {
  nodes: readonly OnnxNode[]
  inputs: readonly OnnxValue[]
  outputs: readonly OnnxValue[]
  /** Lists of int64 that operations take as inputs. */
  constants: readonly { name: string; values: readonly number[] }[]
}

const bytes = (writer: Writing, field: number, body: (inner: Writing) => void) => {
  body(writer.uint32((field << 3) | 2).fork())
  writer.ldelim()
}
const text = (writer: Writing, field: number, value: string) => writer.uint32((field << 3) | 2).string(value)
const whole = (writer: Writing, field: number, value: number) => writer.uint32(field << 3).int64(value)

export function modelBytes(graph: OnnxGraph): Uint8Array {
  const writer = Writer.create()
  whole(writer, 1, irVersion)
  bytes(writer, 7, (inner) => writeGraph(inner, graph))
  bytes(writer, 8, (inner) => {
    text(inner, 1, '')
    whole(inner, 2, opset)
  })
  return writer.finish()
}

function writeGraph(writer: Writing, { nodes, inputs, outputs, constants }: OnnxGraph) {
  for (const node of nodes) bytes(writer, 1, (inner) => writeNode(inner, node))
  text(writer, 2, 'program')
  for (const { name, values } of constants)
    bytes(writer, 5, (inner) => {
      whole(inner, 1, values.length)
      whole(inner, 2, elementTypes.int64)
      for (const value of values) whole(inner, 7, value)
      text(inner, 8, name)
    })
  for (const input of inputs) bytes(writer, 11, (inner) => writeValue(inner, input))
  for (const output of outputs) bytes(writer, 12, (inner) => writeValue(inner, output))
}

function writeNode(writer: Writing, { type, inputs, outputs, attributes = {} }: OnnxNode) {
  for (const input of inputs) text(writer, 1, input)
  for (const output of outputs) text(writer, 2, output)
  // Named by what it makes: providers and records name nodes.
  text(writer, 3, outputs[0]!)
  text(writer, 4, type)
  for (const [name, value] of Object.entries(attributes))
    bytes(writer, 5, (inner) => {
      text(inner, 1, name)
      if (typeof value === 'number') whole(whole(inner, 3, value), 20, kinds.int)
      else if (typeof value === 'string') whole(text(inner, 4, value), 20, kinds.string)
      else {
        for (const one of value) whole(inner, 8, one)
        whole(inner, 20, kinds.ints)
      }
    })
}

function writeValue(writer: Writing, { name, dtype, shape }: OnnxValue) {
  text(writer, 1, name)
  bytes(writer, 2, (type) =>
    bytes(type, 1, (tensor) => {
      whole(tensor, 1, elementTypes[dtype])
      bytes(tensor, 2, (dims) => {
        for (const size of shape) bytes(dims, 1, (dim) => whole(dim, 1, size))
      })
    }),
  )
}
