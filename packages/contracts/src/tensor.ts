/** Tensors as JSON values: in variables, in RESULT, in oracles, in programs. */
import Type, { type Static } from 'typebox'

export const tensorDtypes = [
  'float64',
  'float32',
  'float16',
  'bfloat16',
  'int64',
  'int32',
  'int16',
  'int8',
  'uint8',
  'bool',
] as const
export type TensorDtype = (typeof tensorDtypes)[number]

const head = {
  dtype: Type.Enum(tensorDtypes),
  shape: Type.Array(Type.Integer({ minimum: 0 }), {
    maxItems: 16,
    description: 'Sizes, outermost first; [] is a scalar of one element',
  }),
}
const closedObject = { additionalProperties: false } as const

/** Its values at hand. */
export const TensorData = Type.Object(
  { ...head, data: Type.String({ description: 'Base64 of the elements, little endian, row-major' }) },
  closedObject,
)
export type TensorData = Static<typeof TensorData>

/** Its values in an artifact: a safetensors file with one tensor, named `tensor`. */
export const TensorInArtifact = Type.Object(
  { ...head, artifact: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the file' }) },
  closedObject,
)
export type TensorInArtifact = Static<typeof TensorInArtifact>

export const TensorValue = Type.Object({ $tensor: Type.Union([TensorData, TensorInArtifact]) }, closedObject)
export type TensorValue = Static<typeof TensorValue>
