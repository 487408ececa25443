/**
 * Templates of samples: a query with slots, and the shortest path that answers it. What stands in a slot can
 * be replaced; where an argument comes from is written down, so the path can be walked again with other
 * values.
 */
import type { JsonValue } from '@stateeval/contracts'

export const travelDomains = ['Hotels', 'Flights', 'Car-Rental', 'Attraction', 'Cross'] as const
export type TravelDomain = (typeof travelDomains)[number]

/** The domain of a slot (the paper's appendix A.4). `of` and `after` name the slot that it depends on. */
export type TemplateSlot =
  | { kind: 'city' }
  | { kind: 'landmark' | 'airport' | 'hotel'; of: string }
  /** `days` after another one, or between the first of November and the end of December 2024. */
  | {
      kind: 'date'
      after?: string
      days?: readonly [number, number]
      format?: 'month first' | 'day first' | 'ISO'
    }
  /** Between 8 and 20 o'clock. */
  | { kind: 'time'; format?: 'AM and PM' | '24 hours' }
  | { kind: 'count'; from: number; to: number; format?: 'words' }
  /** Kilometres: tens from 10 to 50. */
  | { kind: 'distance' }
  | { kind: 'age' }
  | { kind: 'cabin' }
  | { kind: 'supplier' }

/** A place in an answer: keys and list places with dots between them. */
type AnswerPath = string

/** The entry of a list that is meant. Without `where` and `by` it is the first one. */
export interface EntryChoice {
  /** The label of the call that gave the list, and where the list is in its data; '' is the data itself. */
  of: string
  at: AnswerPath
  /** Only entries with these values: of a slot, or as they stand. */
  where?: Readonly<Record<AnswerPath, { slot: string } | { is: JsonValue }>>
  by?: readonly ['least' | 'most', AnswerPath]
  take: AnswerPath
}

export type ValueSource =
  | { slot: string }
  /** The values of slots with commas between them, such as a landmark and its city. */
  | { slots: readonly string[] }
  /** A criterion that the query says in words. */
  | { constant: JsonValue }
  /** Something that an answer has once. */
  | { of: string; path: AnswerPath }
  | EntryChoice

export interface PlannedCall {
  /** A name for it among the calls of this template. */
  as: string
  name: string
  arguments: Readonly<
    Record<string, ValueSource | { list: readonly Readonly<Record<string, ValueSource>>[] }>
  >
}

export interface SampleTemplate {
  /** The prefix of its samples' ids: the domain, a dash, a number. */
  id: string
  domain: TravelDomain
  /** The query, with slots in braces. */
  query: string
  slots: Readonly<Record<string, TemplateSlot>>
  /** The template's own values. */
  values: Readonly<Record<string, JsonValue>>
  turns: readonly (readonly PlannedCall[])[]
  /** The final text, with slots and what `tells` finds in braces. */
  answer: string
  tells: Readonly<Record<string, ValueSource>>
}

export const slot = (name: string): ValueSource => ({ slot: name })
export const slots = (...names: string[]): ValueSource => ({ slots: names })
export const constant = (value: JsonValue): ValueSource => ({ constant: value })
export const once = (of: string, path: AnswerPath): ValueSource => ({ of, path })
export const entry = (
  of: string,
  at: AnswerPath,
  take: AnswerPath,
  more: Pick<EntryChoice, 'where' | 'by'> = {},
): ValueSource => ({
  of,
  at,
  take,
  ...more,
})
export const call = (as: string, name: string, args: PlannedCall['arguments'] = {}): PlannedCall => ({
  as,
  name,
  arguments: args,
})
