/** All outputs of the calls so far, with every wording for them in this context. */
import { type TranslationContext, isTaken, type StatedCall } from './context.ts'
import type { TextToken } from './text/lex.ts'
import { parseOrdinal, formatOrdinal } from './text/ordinal.ts'
import type { InstructionReading } from './reading.ts'
import { type TemplateElement, compileTemplate } from './text/template.ts'

type MentionKind = 'output' | 'shown' | 'item' | 'count' | 'thing'
export interface MentionedValue {
  kind: MentionKind
  statedCall: StatedCall
  /** A template; an item's holds {nth}. */
  says: string
  /** How readily it is chosen. */
  weight: number
  by: MentionBy
  /** Identified as the latest, where others could be identified by their places. */
  points: boolean
}

/**
 * The way in which a mention is distinguished: by its place among the calls of its API, which is understood
 * everywhere; as the last one (`that`, `just`); as the `sole` one, also `untouched` by later calls; or as
 * what a call `returned` then, or as the program's `edited` copy of that.
 */
type MentionBy = 'place' | 'that' | 'just' | 'sole' | 'untouched' | 'returned' | 'edited'

const kinds: readonly MentionKind[] = ['output', 'shown', 'item', 'count', 'thing']
const mentionCache = new WeakMap<TranslationContext, MentionedValue[]>()

export function listMentions(context: TranslationContext): MentionedValue[] {
  let all = mentionCache.get(context)
  if (!all) {
    const alike = Map.groupBy(context.statedCalls, ({ call }) => call.api)
    all = [...alike.values()].flatMap((statedCalls) =>
      statedCalls.flatMap((statedCall, index) =>
        kinds.flatMap((kind) =>
          listMentionWordings(context, statedCall, kind, index, statedCalls.length === 1),
        ),
      ),
    )
    mentionCache.set(context, all)
  }
  return all
}

/** The wordings of what the call gave that was the `index`-th of its API, or the only one. */
function listMentionWordings(
  context: TranslationContext,
  statedCall: StatedCall,
  kind: MentionKind,
  index: number,
  sole: boolean,
): MentionedValue[] {
  const mention = statedCall.phrase[kind]
  if (!mention) return []
  const that = context.that === statedCall
  const say = (
    says: readonly string[] | undefined,
    which: string | null,
    by: MentionBy,
    weight: number,
    points = false,
  ): MentionedValue[] =>
    (says ?? []).map((text) => ({
      kind,
      statedCall,
      says: which === null ? text : text.replace('{which}', which),
      weight: weight / (says?.length ?? 1),
      by,
      points: points && !sole,
    }))
  const place = sole ? 'the' : `the ${formatOrdinal(index)}`
  const copies = mention.any.map((text) => `your edited copy of ${text}`)
  const isCopied = statedCall.edits.length > 0 && (kind === 'output' || kind === 'shown' || kind === 'item')
  return [
    ...say(mention.any, place, 'place', (sole ? (mention.sole ?? mention.untouched) : that) ? 1 : 3),
    ...(that ? say(mention.any, 'that', 'that', 2, true) : []),
    ...(sole ? say(mention.sole, null, 'sole', 3) : []),
    ...(sole && !isTaken(statedCall, context) ? say(mention.untouched, null, 'untouched', 3) : []),
    ...(that && context.fresh ? say(mention.just, null, 'just', 4, true) : []),
    ...say(mention.returned, place, 'returned', 1),
    ...(isCopied ? say(copies, place, 'edited', 1) : []),
  ]
}

/** Reads the mentions in a part of an instruction, with the position in the list if it is an item. */
export function readMentions(
  reading: InstructionReading,
  from: number,
  to: number,
  context: TranslationContext,
): { mention: MentionedValue; nth: number }[] {
  const index = indexMentions(context)
  if (to - from > index.longest) return []
  const tokens = reading.tokens.slice(from, to)
  const matches = (index.by.get(formatElementsKey(tokens)) ?? []).map((mention) => ({ mention, nth: 0 }))
  for (const [at, token] of tokens.entries()) {
    const nth = token.kind === 'word' ? parseOrdinal(token.text) : null
    if (nth === null) continue
    const key = formatElementsKey(tokens.with(at, { kind: 'word', text: slot }))
    matches.push(...(index.by.get(key) ?? []).map((mention) => ({ mention, nth })))
  }
  return matches
}

/**
 * The wordings by their words, so that a part of an instruction is looked up and not compared with each of
 * them.
 */
interface WordingIndex {
  by: Map<string, MentionedValue[]>
  /** Tokens of the longest wording. */
  longest: number
}
const indices = new WeakMap<TranslationContext, WordingIndex>()
function indexMentions(context: TranslationContext): WordingIndex {
  let index = indices.get(context)
  if (!index) {
    const all = listMentions(context)
    index = {
      by: Map.groupBy(all, ({ says }) => formatElementsKey(compileTemplate(says))),
      longest: Math.max(0, ...all.map(({ says }) => compileTemplate(says).length)),
    }
    indices.set(context, index)
  }
  return index
}

/** No word is written so: the place of an ordinal. */
const slot = '{nth}'
const keys = new WeakMap<readonly TemplateElement[], string>()
function formatElementsKey(elements: readonly (TemplateElement | TextToken)[]): string {
  let key = keys.get(elements)
  if (key === undefined) {
    const texts = elements.map((element) => {
      if (element.kind === 'slot') return `w:${slot}`
      return element.kind === 'literal'
        ? `l:${JSON.stringify(element.value)}`
        : `${element.kind[0]}:${element.kind === 'end' ? '' : element.text}`
    })
    key = texts.join(' ')
    keys.set(elements, key)
  }
  return key
}
