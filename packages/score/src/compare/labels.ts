/**
 * Tokens that replace ids in texts, the same in every run. Ids of the found run that correspond to an
 * expected one have its token. Others are numbered by first mention, so that concurrent requests do not
 * change the text.
 */
import { IdTable } from './ids.ts'

export class IdLabels {
  private readonly partners = new Map<string, string>()
  private readonly paired = new Set<string>()
  private readonly others = new Map<string, string>()
  readonly expectedIds: IdTable
  readonly foundIds: IdTable

  constructor(expectedIds: IdTable, foundIds: IdTable) {
    this.expectedIds = expectedIds
    this.foundIds = foundIds
  }

  /** Notes that two ids stand for the same item; the first note of either holds. */
  pair(expected: string, actual: string): boolean {
    if (this.partners.has(actual) || this.paired.has(expected)) return this.partners.get(actual) === expected
    this.partners.set(actual, expected)
    this.paired.add(expected)
    return true
  }
  partnerOf = (actual: string) => this.partners.get(actual)

  expected(id: string): string {
    const info = this.expectedIds.info(id)
    return info ? `<id ${info.index + 1} (${info.kind})>` : id
  }
  found(id: string): string {
    const info = this.foundIds.info(id)
    if (!info) return id
    if (info.kind === 'initial') return `<id ${info.index + 1} (initial)>`
    const partner = this.partners.get(id)
    if (partner !== undefined) return this.expected(partner)
    const label = this.others.get(id) ?? `<other id ${this.others.size + 1} (created)>`
    this.others.set(id, label)
    return label
  }

  /** A text with the ids of one side as tokens. */
  text(side: 'expected' | 'found', text: string): string {
    const ids = side === 'expected' ? this.expectedIds : this.foundIds
    return ids
      .split(text)
      .map((part, index) => (index % 2 ? this[side](part) : part))
      .join('')
  }
}

const none = new IdTable({ ids: { initial: [], created: [] }, gone: [] })
/** Labels for a run without a comparison. */
export const createLabels = (ids: IdTable) => new IdLabels(none, ids)
