/** The fenced blocks of the pages that readers follow, and why some of them are not run. */
import { readPages } from '../markdown/pages.ts'
import type { Fence } from '../markdown/scan.ts'

export interface Block extends Fence {
  page: string
}

/** Pages that show programs, and do not ask to type them. */
const shows = /^docs\/(?:instructions|decisions)\//

/** In the order of the pages. */
export const blocks = (): Block[] =>
  [...readPages()].flatMap(([page, { fences }]) =>
    shows.test(page) ? [] : fences.map((fence): Block => ({ page, ...fence })),
  )

export const isShell = ({ language }: Block) => language === 'sh' || language === 'bash'
