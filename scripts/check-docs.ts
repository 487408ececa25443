/**
 * Checks what readers meet: links and anchors of pages, and the prose of pages, commands and contracts.
 * Prints a line for each fault and exits with 1 if there is one. --warnings also prints sentences that are
 * rather long.
 */
import { root } from './generated.ts'
import { deadLinks } from './markdown/links.ts'
import { readPages } from './markdown/pages.ts'
import { pageFindings } from './markdown/prose.ts'

/** Sentences of the translator, which a digest depends on. */
const isGenerated = (path: string) => path.startsWith('docs/instructions/')

const pages = readPages()
const dead = deadLinks(pages, root)
const faults: string[] = []
const warnings: string[] = []
for (const [path, page] of pages) {
  if (isGenerated(path)) continue
  const found = pageFindings(page)
  const printed = ({ line, text }: { line: number; text: string }) => `${path}:${line}: ${text}`
  faults.push(...found.faults.map(printed))
  warnings.push(...found.warnings.map(printed))
}
if (process.argv.includes('--warnings')) process.stdout.write(warnings.map((one) => `${one}\n`).join(''))
process.stderr.write([...dead, ...faults].map((one) => `${one}\n`).join(''))
process.stdout.write(
  `${pages.size} pages: ${dead.length} dead links, ${faults.length} faults, ${warnings.length} sentences of more than 25 words\n`,
)
process.exitCode = dead.length > 0 ? 1 : 0
