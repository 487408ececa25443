/**
 * Writes the sources of the site to a folder: the repository's pages at their own paths, generated pages of
 * the HTTP reference and of instructions, and the files that pages link to.
 */
import { cpSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { parse } from 'yaml'
import { scenarios } from '../../scenarios/index.ts'
import { formatInstructionPage } from '../../scenarios/test/instructions.ts'
import { root } from '../generated.ts'
import { readPages } from '../markdown/pages.ts'
import { type Page, withoutCode } from '../markdown/scan.ts'
import { type Contract, httpPage } from './http-reference.ts'
import { type Entry, entriesOf, navigation } from './navigation.ts'

export interface SidebarItem {
  text: string
  link?: string
  items?: SidebarItem[]
  collapsed?: boolean
}

/** Links to folders lead to the page that lists what they hold. */
const folderPages: Readonly<Record<string, string>> = {
  openapi: 'reference/http/evaluation.md',
  'docs/decisions': 'docs/decisions/one-folder.md',
}

/** Gets the place of a page on the site. */
const staged = (page: string) => page.replace(/README\.md$/, 'index.md')

/** @returns the sidebar; throws where a page is missing in the navigation. */
export function stage(folder: string): SidebarItem[] {
  const pages = readPages()
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  for (const [path, page] of pages) write(staged(path), onSite(path, page, pages, folder))
  const services: Entry[] = contracts().map(([name, contract]) => {
    write(`reference/http/${name}.md`, outsideFences(httpPage(contract).split('\n'), escaped))
    return { text: contract.info.title, page: `reference/http/${name}.md` }
  })
  for (const scenario of scenarios)
    write(
      `reference/instructions/${scenario.id}.md`,
      outsideFences(formatInstructionPage(scenario).split('\n'), escaped),
    )
  const decisions = [...pages].flatMap(([path, { headings }]): Entry[] =>
    path.startsWith('docs/decisions/') ? [{ text: headings[0]!.text, page: path }] : [],
  )
  const groups = navigation(decisions, services)
  const listed = new Set(entriesOf(groups).map(({ page }) => page))
  const missing = [...pages.keys()].filter((path) => !listed.has(path))
  if (missing.length > 0)
    throw new Error(`Not in the navigation: ${missing.join(', ')}. Add them to scripts/site/navigation.ts.`)
  return groups.map(sidebarItem)
}

const sidebarItem = (one: Parameters<typeof entriesOf>[0][number], depth = 0): SidebarItem =>
  'page' in one
    ? { text: one.text, link: `/${staged(one.page).replace(/(?:index)?\.md$/, '')}` }
    : {
        text: one.text,
        items: one.items.map((item) => sidebarItem(item, 1)),
        ...(depth > 0 && { collapsed: true }),
      }

function contracts(): [string, Contract][] {
  const files = globSync('openapi/*.yaml', { cwd: root }).sort()
  return files.map((file) => [
    basename(file, '.yaml'),
    parse(readFileSync(join(root, file), 'utf8')) as Contract,
  ])
}

/** The page with links as the site needs them, without comments. */
function onSite(path: string, page: Page, pages: ReadonlyMap<string, Page>, folder: string): string {
  let comment = false
  return outsideFences(page.lines, (line) => {
    if (comment || line.startsWith('<!--')) {
      comment = !line.includes('-->')
      return ''
    }
    return withLinks(escaped(line), path, pages, folder)
  })
}

/** Changes every line that is not part of a fenced block. */
function outsideFences(lines: readonly string[], change: (line: string) => string): string {
  let fence = false
  const changed = lines.map((line) => {
    const isBorder = /^ {0,3}(```|~~~)/.test(line)
    if (isBorder) fence = !fence
    return isBorder || fence ? line : change(line)
  })
  return changed.join('\n')
}

/** The site's pages are components: what looks like a tag or an expression of theirs is text. */
function escaped(line: string): string {
  const plain = withoutCode(line)
  const isText = (at: number) => plain[at] === line[at]
  return line.replaceAll(/<(?!\/?(?:details|summary|a|br)\b)|\{\{/g, (found, at: number) =>
    isText(at) ? (found === '<' ? '&lt;' : '&#123;&#123;') : found,
  )
}

function withLinks(line: string, path: string, pages: ReadonlyMap<string, Page>, folder: string): string {
  const plain = withoutCode(line)
  let out = ''
  let from = 0
  for (const link of plain.matchAll(/\]\(([^()\s]+)\)/g)) {
    out += line.slice(from, link.index) + `](${addressOf(link[1]!, path, pages, folder)})`
    from = link.index + link[0].length
  }
  return out + line.slice(from)
}

function addressOf(target: string, path: string, pages: ReadonlyMap<string, Page>, folder: string): string {
  const [file = '', anchor] = target.split('#')
  if (file === '' || /^[a-z][a-z+.-]*:/i.test(target)) return target
  const to = posix.join(posix.dirname(path), file).replace(/\/$/, '')
  const suffix = anchor === undefined ? '' : `#${anchor}`
  const page = pages.has(to) ? to : folderPages[to]
  if (page !== undefined) return `/${staged(page)}${suffix}`
  if (pages.has(`${to}/README.md`)) return `/${to}/index.md`
  // Other files are offered as they are; of a folder the page that links to it says enough.
  if (!statSync(join(root, to)).isDirectory()) {
    const copy = join(folder, 'public', 'files', to.replace(/(^|\/)\./, '$1'))
    mkdirSync(dirname(copy), { recursive: true })
    cpSync(join(root, to), copy)
    return `/files/${to.replace(/(^|\/)\./, '$1')}`
  }
  return `/${staged(path)}`
}
