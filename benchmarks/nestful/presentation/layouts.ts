/** Which layout a model has by its name: the first that fits, in the spellings of the paper and of hubs. */
const layouts: readonly (readonly [pattern: RegExp, layout: string])[] = [
  [/hermes/, 'hermes'],
  [/xlam/, 'xlam'],
  [/toolace/, 'toolace'],
  [/hammer/, 'hammer'],
  [/granite-?20b/, 'granite-20b'],
  [/granite-?3[.-]0/, 'granite-3.0'],
  [/granite/, 'granite'],
  [/deepseek/, 'deepseek'],
  [/mi[sx]tral/, 'mistral'],
  [/llama-?3-70b|llama-?3[.-]1-405b-instruct$/, 'llama-3-70b'],
  [/llama/, 'llama'],
  [/gpt|openai|^o\d/, 'gpt'],
]

export const findLayout = (model: string): string | undefined =>
  layouts.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1]
