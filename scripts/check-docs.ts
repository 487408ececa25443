/**
 * Checks what readers meet: links and anchors of pages, their prose, and the words of errors, help texts
 * and contracts. Prints a line for each fault and exits with 1 if there is one. --warnings also prints
 * long sentences, and faults of records.
 */
import { root } from './generated.ts'
import { deadLinks } from './markdown/links.ts'
import { messageFaults } from './markdown/messages.ts'
import { readPages } from './markdown/pages.ts'
import { pageFindings } from './markdown/prose.ts'
import { entriesOf, navigation } from './site/navigation.ts'

/** Decisions and measurements state what was found at a time: their findings are warnings. */
const isRecord = (path: string) => /^docs\/(?:decisions\/|performance\.md|scaling\.md)/.test(path)

const pages = readPages()
const dead = deadLinks(pages, root)
const faults: string[] = messageFaults()
const warnings: string[] = []
const listed = new Set(entriesOf(navigation([], [])).map(({ page }) => page))
for (const path of pages.keys())
  if (!listed.has(path) && !path.startsWith('docs/decisions/'))
    faults.push(`${path}: The site does not list it. Add it to scripts/site/navigation.ts.`)
for (const [path, page] of pages) {
  const found = pageFindings(page)
  const printed = ({ line, text }: { line: number; text: string }) => `${path}:${line}: ${text}`
  const counted = isRecord(path) ? warnings : faults
  counted.push(...found.faults.map(printed))
  warnings.push(...found.warnings.map(printed))
}
if (process.argv.includes('--warnings')) process.stdout.write(warnings.map((one) => `${one}\n`).join(''))
process.stderr.write([...dead, ...faults].map((one) => `${one}\n`).join(''))
process.stdout.write(
  `${pages.size} pages: ${dead.length} dead links, ${faults.length} faults, ${warnings.length} warnings\n`,
)
process.exitCode = dead.length + faults.length > 0 ? 1 : 0
