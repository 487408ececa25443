/** ONNX models as bytes: the few messages of onnx.proto that a graph needs. */
import protobuf from 'protobufjs/minimal.js'
import type { ElementType } from './check.ts'

const { Writer } = protobuf
type ProtoWriter = InstanceType<typeof Writer>

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

const writeBytes = (writer: ProtoWriter, field: number, body: (inner: ProtoWriter) => void) => {
  body(writer.uint32((field << 3) | 2).fork())
  writer.ldelim()
}
const writeText = (writer: ProtoWriter, field: number, value: string) =>
  writer.uint32((field << 3) | 2).string(value)
const writeWhole = (writer: ProtoWriter, field: number, value: number) =>
  writer.uint32(field << 3).int64(value)

export function encodeModel(graph: OnnxGraph): Uint8Array {
  const writer = Writer.create()
  writeWhole(writer, 1, irVersion)
  writeBytes(writer, 7, (inner) => writeGraph(inner, graph))
  writeBytes(writer, 8, (inner) => {
    writeText(inner, 1, '')
    writeWhole(inner, 2, opset)
  })
  return writer.finish()
}

function writeGraph(writer: ProtoWriter, { nodes, inputs, outputs, constants }: OnnxGraph) {
  for (const node of nodes) writeBytes(writer, 1, (inner) => writeNode(inner, node))
  writeText(writer, 2, 'program')
  for (const { name, values } of constants)
    writeBytes(writer, 5, (inner) => {
      writeWhole(inner, 1, values.length)
      writeWhole(inner, 2, elementTypes.int64)
      for (const value of values) writeWhole(inner, 7, value)
      writeText(inner, 8, name)
    })
  for (const input of inputs) writeBytes(writer, 11, (inner) => writeValue(inner, input))
  for (const output of outputs) writeBytes(writer, 12, (inner) => writeValue(inner, output))
}

function writeNode(writer: ProtoWriter, { type, inputs, outputs, attributes = {} }: OnnxNode) {
  for (const input of inputs) writeText(writer, 1, input)
  for (const output of outputs) writeText(writer, 2, output)
  // Named by what it makes: providers and records name nodes.
  writeText(writer, 3, outputs[0]!)
  writeText(writer, 4, type)
  for (const [name, value] of Object.entries(attributes))
    writeBytes(writer, 5, (inner) => {
      writeText(inner, 1, name)
      if (typeof value === 'number') writeWhole(writeWhole(inner, 3, value), 20, kinds.int)
      else if (typeof value === 'string') writeWhole(writeText(inner, 4, value), 20, kinds.string)
      else {
        for (const one of value) writeWhole(inner, 8, one)
        writeWhole(inner, 20, kinds.ints)
      }
    })
}

function writeValue(writer: ProtoWriter, { name, dtype, shape }: OnnxValue) {
  writeText(writer, 1, name)
  writeBytes(writer, 2, (type) =>
    writeBytes(type, 1, (tensor) => {
      writeWhole(tensor, 1, elementTypes[dtype])
      writeBytes(tensor, 2, (dims) => {
        for (const size of shape) writeBytes(dims, 1, (dim) => writeWhole(dim, 1, size))
      })
    }),
  )
}
