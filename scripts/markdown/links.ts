/** Finds links to files and headings that do not exist. */
import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { Page } from './scan.ts'

const isOutside = (target: string) => /^[a-z][a-z+.-]*:/i.test(target)

/** A sentence for each link that leads nowhere. Addresses on the internet are not asked. */
export function deadLinks(pages: ReadonlyMap<string, Page>, root: string): string[] {
  const faults: string[] = []
  for (const [path, { links }] of pages)
    for (const { target, line } of links) {
      if (isOutside(target)) continue
      const [file = '', anchor] = target.split('#')
      const to = file === '' ? path : posix.normalize(posix.join(posix.dirname(path), decodeURI(file)))
      const fault = (text: string) => faults.push(`${path}:${line}: ${target}: ${text}`)
      if (to.startsWith('..') || !existsSync(join(root, to))) fault('There is no such file.')
      else if (anchor !== undefined && !statSync(join(root, to)).isDirectory()) {
        const page = pages.get(to)
        if (!page) fault('The file is not a page, so it has no anchors.')
        else if (!page.headings.some((heading) => heading.anchor === anchor))
          fault('The page has no such heading.')
      }
    }
  return faults
}
