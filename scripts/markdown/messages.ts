/**
 * The texts that commands and services show: errors, help, and descriptions in contracts. They are string
 * literals of sources; each follows the same words as pages.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../generated.ts'
import { faultyPhrases } from './prose.ts'

const patterns = [
  'apps/cli/src/**/*.ts',
  'services/*/src/**/*.ts',
  'packages/{client,contracts,embeddings,local-servers,models,score,service-kit,workflow}/src/**/*.ts',
]
const isRead = (path: string) => !/\.test\.ts$|\/(?:examples|ferretdb)\//.test(path)

const literal = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
const comment = /^\s*(?:\/\/|\/\*|\*)/
const minSpaces = 3

/** Faults by path and line, in texts of four words and more. */
export function messageFaults(): string[] {
  const faults: string[] = []
  for (const path of globSync(patterns, { cwd: root }).filter(isRead).sort()) {
    const source = readFileSync(join(root, path), 'utf8')
      .split('\n')
      .map((line) => (comment.test(line) ? '' : line))
      .join('\n')
    for (const found of source.matchAll(literal)) {
      const text = found[1] ?? found[2] ?? found[3] ?? ''
      if (text.split(' ').length <= minSpaces) continue
      for (const fault of faultyPhrases(text)) {
        const line = source.slice(0, found.index).split('\n').length
        faults.push(`${path}:${line}: ${fault}`)
      }
    }
  }
  return faults
}
