/** Vectors of texts, from an ONNX model that ONNX Runtime runs on this machine’s processor. */
import * as tokenizers from '@huggingface/tokenizers'
import './no-telemetry.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { type ModelFolder, type PoolingMode, readModelFolder } from './folder.ts'

/**
 * The part of the tokenizers that we use: their own types name files without endings, which this compiler
 * does not find.
 */
interface TextTokenizer {
  encode(text: string): { ids: number[] }
}
const { Tokenizer: MakeTokenizer } = tokenizers as unknown as {
  Tokenizer: new (tokenizer: object, config: object) => TextTokenizer
}

interface TextEmbedding {
  /** A vector of length 1. */
  vector: number[]
  tokens: number
}

export interface TextEmbedder {
  embed(text: string): Promise<TextEmbedding>
  close(): Promise<void>
}

/** One thread: sums come out the same whatever number of cores a machine has. */
const options: InferenceSession.SessionOptions = {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 3,
}

/** Loads the model of a folder. Throws an Error that names the missing or broken file. */
export async function loadEmbedder(folder: string, pooling?: PoolingMode): Promise<TextEmbedder> {
  const files = readModelFolder(folder, pooling)
  const tokenizer = new MakeTokenizer(files.tokenizer, files.tokenizerConfig)
  const session = await InferenceSession.create(files.model, options)
  return {
    async embed(text) {
      const ids = encodeIds(tokenizer, text, files)
      const outputs = await session.run(createInputs(session, ids))
      const pooled = outputs['sentence_embedding']
      const vector = pooled
        ? [...(pooled.data as Float32Array)]
        : poolVectors(outputs[session.outputNames[0]!]!, files.pooling)
      return { vector: normalizeVector(vector), tokens: ids.length }
    },
    close: () => session.release(),
  }
}

/** A longer text is cut; its last token, which ends the text, stays. */
function encodeIds(tokenizer: TextTokenizer, text: string, { maxTokens }: ModelFolder): number[] {
  const { ids } = tokenizer.encode(text)
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ids.at(-1)!]
}

function createInputs({ inputNames }: InferenceSession, ids: readonly number[]): Record<string, Tensor> {
  const shape = [1, ids.length]
  const tensor = (values: readonly number[]) =>
    new Tensor('int64', BigInt64Array.from(values.map((value) => BigInt(value))), shape)
  const all: Readonly<Record<string, () => Tensor>> = {
    input_ids: () => tensor(ids),
    attention_mask: () => tensor(ids.map(() => 1)),
    token_type_ids: () => tensor(ids.map(() => 0)),
  }
  return Object.fromEntries(
    inputNames.map((name) => {
      const make = Object.hasOwn(all, name) ? all[name] : undefined
      if (!make) throw new Error(`The model needs the input ${name}, which texts do not provide.`)
      return [name, make()]
    }),
  )
}

/** One vector of the tokens’ vectors, which are a tensor of the shape [1, tokens, size]. */
function poolVectors({ data, dims }: Tensor, pooling: PoolingMode): number[] {
  const [, tokens = 0, size = 0] = dims
  const values = data as Float32Array
  if (dims.length !== 3)
    throw new Error(`The model gives a tensor of the shape [${dims.join()}]; expected three dimensions.`)
  const first = Array.from({ length: size }, (_, at) => values[at]!)
  if (pooling === 'cls') return first
  return first.map((_, at) => {
    let sum = 0
    for (let token = 0; token < tokens; token++) sum += values[token * size + at]!
    return sum / tokens
  })
}

function normalizeVector(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? [...vector] : vector.map((value) => value / length)
}
