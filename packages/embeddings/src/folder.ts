/**
 * The folder of an embeddings model in the published form: weights in ONNX, a tokenizer, and the pooling.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The vector of a text is that of its first token, or the mean over its tokens. */
export type PoolingMode = 'cls' | 'mean'

export interface ModelFolder {
  /** The path of the weights. */
  model: string
  tokenizer: object
  tokenizerConfig: Readonly<Record<string, unknown>>
  pooling: PoolingMode
  /** Tokens that the model reads at most. */
  maxTokens: number
}

const usualTokens = 512
const models = ['model.onnx', 'onnx/model.onnx']
const poolingFile = '1_Pooling/config.json'

function readJson(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch (error) {
    throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  throw new Error(`${path} does not contain a JSON object.`)
}
const readJsonIfPresent = (path: string) => (existsSync(path) ? readJson(path) : {})

/**
 * Reads everything except the weights.
 * @param pooling overrides 1_Pooling/config.json; without either it is `mean`
 * @throws Error that names the missing or broken file
 */
export function readModelFolder(folder: string, pooling?: PoolingMode): ModelFolder {
  const model = models.map((name) => join(folder, name)).find((path) => existsSync(path))
  if (model === undefined)
    throw new Error(`${folder} has no ${models.join(' and no ')}. Export the model to ONNX into this folder.`)
  const tokenizerPath = join(folder, 'tokenizer.json')
  if (!existsSync(tokenizerPath))
    throw new Error(`${folder} has no tokenizer.json. Put the tokenizer of the model beside its weights.`)
  const tokenizerConfig = readJsonIfPresent(join(folder, 'tokenizer_config.json'))
  const { model_max_length: most } = tokenizerConfig
  const { pooling_mode_cls_token: byCls } = readJsonIfPresent(join(folder, poolingFile))
  return {
    model,
    tokenizer: readJson(tokenizerPath),
    tokenizerConfig,
    pooling: pooling ?? (byCls === true ? 'cls' : 'mean'),
    // Some configurations have an absurdly large number for: no limit.
    maxTokens: typeof most === 'number' && most > 1 && most <= 100_000 ? most : usualTokens,
  }
}
