/** The Markdown files that readers meet. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../generated.ts'
import { type Page, scan } from './scan.ts'

const patterns = [
  '{README,ARCHITECTURE,CONTRIBUTING}.md',
  'docs/*.md',
  'docs/decisions/*.md',
  '{benchmarks,clients,packages,scenarios}/*/README.md',
  'deploy/**/README.md',
]

/** Paths below the root, sorted. */
const pagePaths = (): string[] =>
  globSync(patterns, { cwd: root, exclude: (path) => path.includes('node_modules') }).sort()

export const readPages = (): Map<string, Page> =>
  new Map(pagePaths().map((path) => [path, scan(readFileSync(join(root, path), 'utf8'))]))
