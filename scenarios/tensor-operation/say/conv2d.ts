import type { CallPhrase, PhraseForm } from '@stateeval/program'
import { just } from './just.ts'

/** How each option is said after the tensors. */
const spoken = {
  stride: 'stride {stride}',
  padding: 'padding {padding}',
  dilation: 'dilation {dilation}',
  groups: '{groups} groups',
}
type SpokenOption = keyof typeof spoken

/** Every choice of the options, in this order. */
const spokenSettings = (Object.keys(spoken) as SpokenOption[]).reduce<SpokenOption[][]>(
  (choices, name) => [...choices, ...choices.map((names) => [...names, name])],
  [[]],
)
const says = ['convolve {input}', 'apply a two-dimensional convolution to {input}']

/** A convolution with these options; all that it is given is one series of words. */
function createConvForm(
  tensors: readonly string[],
  names: readonly SpokenOption[],
  slots: PhraseForm['slots'],
): PhraseForm {
  const partList = joinTextSeries([...tensors, ...names.map((name) => spoken[name])])
  const options = Object.fromEntries(names.map((name) => [name, { slot: name }]))
  const args = Object.fromEntries(Object.keys(slots).map((slot) => [slot, { slot }]))
  return {
    says: says.map((text) => `${text} with ${partList}`),
    args: { ...args, ...options },
    slots: { ...slots, ...Object.fromEntries(names.map((name) => [name, 'literal' as const])) },
  }
}
const [weight, bias] = ['{weight} as the weight', '{bias} as the bias']
const withWeight = (names: readonly SpokenOption[]) =>
  createConvForm([weight], names, { input: 'reference', weight: 'reference' })
const withBias = (names: readonly SpokenOption[]) =>
  createConvForm([weight, bias], names, { input: 'reference', weight: 'reference', bias: 'reference' })

const joinTextSeries = (texts: readonly string[]) =>
  texts.length < 3 ? texts.join(' and ') : `${texts.slice(0, -1).join(', ')}, and ${texts.at(-1) as string}`

export const conv2d: CallPhrase = {
  call: { kind: 'function', name: 'torch.nn.functional.conv2d', positional: ['input', 'weight'] },
  forms: [...spokenSettings.flatMap((names) => [withWeight(names), withBias(names)])],
  output: {
    any: ['the output of {which} convolution'],
    just,
    untouched: ['the convolved tensor'],
  },
}
