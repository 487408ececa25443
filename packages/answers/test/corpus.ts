/** The answers of `corpus`, each a file with its source, its language and what it must be read as. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Language } from '@stateeval/contracts'

const folder = new URL('./corpus/', import.meta.url)
const form =
  /^source: (https:\/\/.+)\nlanguage: (javascript|python)\n=== answer\n([^]*)\n=== (program|none)\n([^]*)\n$/

export const corpus = readdirSync(folder).map((file) => {
  const match = form.exec(readFileSync(new URL(file, folder), 'utf8'))
  if (!match) throw new Error(`${file} has another form than the files beside it`)
  const [, source, language, answer, kind, expected] = match as unknown as string[]
  return { file, source, language: language as Language, answer: answer!, kind, expected: expected! }
})
