/**
 * Documentation for the model under test: six functions of PyTorch, by function, so that the parts which a
 * task needs can be cut out. It says what they do, no more and no less. Each language has a file for its own
 * parts.
 */

/** Text about the module in a language. */
interface LanguageText {
  /** The word after a fence. */
  fence: string
  use: string
  /** How optional arguments are passed, and how attributes of a tensor are read. */
  passing: string
  attributes: string
  /** The list that split gives, and the errors. */
  list: string
  errors: string
  examples: Readonly<Record<TensorApi, string>>
}

const writeTensorIntroduction = (language: LanguageText) => `# Tensor operations

Functions of PyTorch. A tensor is an array of numbers with a shape (its sizes, outermost dimension first) and a dtype. ${language.use}

Dimensions are counted from 0; a negative one is counted from the end: -1 is the last. ${language.passing} Functions return new tensors and change none that they are given.

${language.attributes} ${language.errors}`

export const apis = {
  cat: `## cat: join tensors

\`torch.cat(tensors, dim=0)\`

| argument | meaning |
| --- | --- |
| \`tensors\` | a list of tensors with the same number of dimensions; in all dimensions but \`dim\` their sizes are equal |
| \`dim\` | the dimension along which they are put one after the other |

Returns one tensor: its size along \`dim\` is the sum of theirs, in the order of the list.`,

  split: `## split: take a tensor apart

\`torch.split(tensor, split_size_or_sections, dim=0)\`

| argument | meaning |
| --- | --- |
| \`tensor\` | the tensor |
| \`split_size_or_sections\` | an integer: the size of every piece along \`dim\` (the last one is smaller where the size does not divide evenly); or a list of integers: the size of each piece, adding up to the size of the dimension |
| \`dim\` | the dimension that is cut |

Returns the pieces in their order. `,

  transpose: `## transpose: swap two dimensions

\`torch.transpose(input, dim0, dim1)\`

Returns \`input\` with the dimensions \`dim0\` and \`dim1\` exchanged: the element at \`[i, j]\` of a matrix is at \`[j, i]\` of its transpose. The result need not be contiguous in memory.`,

  permute: `## permute: reorder the dimensions

\`torch.permute(input, dims)\`

| argument | meaning |
| --- | --- |
| \`input\` | the tensor |
| \`dims\` | a list of all dimensions of \`input\`, each once, in the wanted order: dimension \`k\` of the result is dimension \`dims[k]\` of \`input\` |`,

  linear: `## linear: a linear transformation

\`torch.nn.functional.linear(input, weight, bias=None)\`

| argument | shape |
| --- | --- |
| \`input\` | \`(…, in_features)\`: any number of leading dimensions |
| \`weight\` | \`(out_features, in_features)\` |
| \`bias\` | \`(out_features)\`, optional |

Computes \`input · weightᵀ + bias\` over the last dimension. Returns a tensor of shape \`(…, out_features)\`.`,

  conv2d: `## conv2d: a two-dimensional convolution

\`torch.nn.functional.conv2d(input, weight, bias=None, stride=1, padding=0, dilation=1, groups=1)\`

| argument | meaning |
| --- | --- |
| \`input\` | shape \`(batch, in_channels, height, width)\` |
| \`weight\` | the kernels, shape \`(out_channels, in_channels / groups, kernel_height, kernel_width)\` |
| \`bias\` | optional, shape \`(out_channels)\` |
| \`stride\` | step of the kernels; an integer, or a list of two: for height and width |
| \`padding\` | zeros added on both sides; an integer, a list of two, \`'valid'\` (none) or \`'same'\` (as many as keep height and width; with stride 1 only) |
| \`dilation\` | distance between the elements of a kernel; an integer or a list of two |
| \`groups\` | the number of groups that the channels are divided into, each convolved by itself; it divides \`in_channels\` and \`out_channels\` |

The kernels are not flipped (cross-correlation). Returns a tensor of shape \`(batch, out_channels, H, W)\` with \`H = floor((height + 2 · padding − dilation · (kernel_height − 1) − 1) / stride) + 1\`, and \`W\` likewise.`,
} as const

export type TensorApi = keyof typeof apis
const all = Object.keys(apis) as TensorApi[]

export interface TensorDocumentation {
  /** The introduction and the parts of the APIs, each a section of markdown. */
  parts: { readonly introduction: string; readonly apis: Readonly<Record<TensorApi, string>> }
  whole: string
}

export function writeTensorDocumentation(language: LanguageText): TensorDocumentation {
  const part = (api: TensorApi) =>
    `${apis[api]}${api === 'split' ? language.list : ''}\n\n\`\`\`${language.fence}\n${language.examples[api]}\n\`\`\``
  const introduction = writeTensorIntroduction(language)
  const parts = {
    introduction,
    apis: Object.fromEntries(all.map((api) => [api, part(api)])) as Record<TensorApi, string>,
  }
  return { parts, whole: [introduction, ...all.map(part)].join('\n\n') + '\n' }
}
