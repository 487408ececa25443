/** Ordinary programs, as models write them: text files by theme, a line `=== name` before each program. */
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ExecutionInput, JsonValue, Language } from '@stateeval/contracts'

export interface OrdinaryProgram {
  name: string
  language: Language
  code: string
  inputs: ExecutionInput[]
}

const folder = join(import.meta.dirname, 'ordinary')
const languages: Record<string, Language> = { js: 'javascript', py: 'python' }

/** All of them, by file and then by name. */
export function ordinaryPrograms(): OrdinaryProgram[] {
  return globSync('*.{js,py}.txt', { cwd: folder })
    .sort()
    .flatMap((file) => {
      const [theme, extension] = basename(file).split('.')
      const language = languages[extension!]!
      return readFileSync(join(folder, file), 'utf8')
        .split(/^=== /m)
        .slice(1)
        .map((text): OrdinaryProgram => {
          const [name, ...lines] = text.split('\n')
          return {
            name: `${theme}: ${name}`,
            language,
            code: lines.join('\n').replace(/(?<!\n)\n+$/, ''),
            inputs: [input()],
          }
        })
    })
}

/** Creates the input of every ordinary program: a few sessions, and values under paths. */
const input = (): ExecutionInput => ({ variables: structuredClone(variables), world: structuredClone(world) })

const study = (title: string, name: string, priority: number) => ({
  title,
  owner: { name, institute: 'Charité' },
  tags: ['treated', 'early stage'],
  statistics: { test: 'log-rank', minimumSamples: 20, corrected: true },
  priority,
})
const variables: Record<string, JsonValue> = {
  user_variable_0: {
    source: 'clinic-berlin',
    type: 'custom_data',
    data: study('Pancreas before surgery', 'Liam Murphy', 16),
  },
  user_variable_1: {
    source: 'tumor.board',
    type: 'virtual_study',
    data: study('Rare sarcoma review', 'Kavya Iyer', 11),
  },
  user_constant_0: 2,
}
const world: JsonValue = {
  items: [
    { source: 'clinic-berlin', type: 'custom_data', data: study('Biopsy archive', 'Grace Okafor', 3) },
    { source: 'clinic-berlin', type: 'custom_data', data: study('Drug response', 'Ines Moreau', 9) },
    { source: 'tumor.board', type: 'virtual_study', data: study('EGFR resistance', 'Maja Novak', 5) },
  ],
  '/x': { n: 1 },
  '/users': [
    { id: 1, name: 'Ann', age: 31, email: 'ann@example.com' },
    { id: 2, name: 'Bob', age: 25, email: 'bob@example.com' },
    { id: 3, name: 'Cid', age: 40, email: 'cid@example.com' },
  ],
  '/users/1': { id: 1, name: 'Ann' },
  '/users/2': { id: 2, name: 'Bob' },
  '/users/3': { id: 3, name: 'Cid' },
  '/unicode': { text: 'héllo ☃ 😀 \u2028', ключ: [1.5, -0, 1e21, 1e-7] },
  '/deep': { a: { b: { c: { d: { e: [1, [2, [3, [4]]]] } } } } },
  '/search?q=a%20b&page=2': { hits: ['a b'] },
  '/search?q=a+b&page=2': { hits: ['a+b'] },
  '/list?ids[]=1&ids[]=2': { ids: [1, 2] },
}
