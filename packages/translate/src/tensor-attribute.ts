/**
 * Attributes of a tensor that an if may test, in words: 'the size of `user_tensor_0` along dimension 1',
 * 'the zero-based row-major index of its largest element'.
 */
import type { Condition, VariableReference } from '@stateeval/contracts'
import { extremes, isExtreme, createRef, tensorKey } from '@stateeval/program'
import type { TranslationContext } from './context.ts'
import type { InstructionReading } from './reading.ts'
import { readReference } from './read-reference.ts'
import { sayReference } from './reference.ts'
import { fillTemplate, match } from './text/template.ts'
import type { WordingVoice } from './voice.ts'

type AskedAttribute = Pick<Condition, 'variable' | 'path' | 'measure'>

const size = ['the size of {tensor} along dimension {dim}', 'the size of dimension {dim} of {tensor}']
const rank = ['the number of dimensions of {tensor}']
const places = {
  argmax: [
    'the zero-based row-major index of the largest element of {tensor}',
    'the zero-based index of the largest element of {tensor} in row-major order',
  ],
  argmin: [
    'the zero-based row-major index of the smallest element of {tensor}',
    'the zero-based index of the smallest element of {tensor} in row-major order',
  ],
} as const
const dtype = ['the string form of the `dtype` of {tensor}']

/** null if the condition tests no attribute, or if nothing in this context could mean its tensor. */
export function sayAttribute(
  { variable, path, measure }: AskedAttribute,
  context: TranslationContext,
  voice: WordingVoice,
): string | null {
  const at = path.indexOf(tensorKey)
  const [name, dim, ...more] = path.slice(at + 1)
  if (at < 0 || more.length > 0) return null
  const says =
    name === 'shape'
      ? measure === 'count'
        ? rank
        : size
      : name === 'dtype' && measure === 'value'
        ? dtype
        : isExtreme(name) && measure === 'value'
          ? places[name]
          : null
  if (!says || (says === size) !== (typeof dim === 'number')) return null
  const tensor = sayReference(createRef(variable, ...path.slice(0, at)), context, voice)
  return tensor === null ? null : fillTemplate(voice.rng.pick(says), { tensor, dim: String(dim) })
}

/** Every attribute that these tokens may mean. */
export function readAttribute(
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): AskedAttribute[] {
  const find = (wordings: readonly string[], measure: AskedAttribute['measure'], ...attribute: string[]) =>
    wordings.flatMap((says) =>
      match<VariableReference | number>(says, reading.tokens, from, to, (slot, start, end) => {
        if (slot === 'tensor') return readReference(reading, start, end, context)
        const dim = reading.only('literal', start, end)?.value
        return typeof dim === 'number' && Number.isInteger(dim) && dim >= 0 ? [dim] : []
      }).map(({ tensor, dim }): AskedAttribute => {
        const { kind: _, ...reference } = tensor as VariableReference
        const path = [
          ...reference.path,
          tensorKey,
          ...attribute,
          ...(dim === undefined ? [] : [dim as number]),
        ]
        return { ...reference, path, measure }
      }),
    )
  return [
    ...find(size, 'value', 'shape'),
    ...find(rank, 'count', 'shape'),
    ...find(dtype, 'value', 'dtype'),
    ...extremes.flatMap((extreme) => find(places[extreme], 'value', extreme)),
  ]
}
