/** Finds the code in what a model answered, or says why there is none. */
import type { Language } from '@stateeval/contracts'
import { type FencedBlock, fencedBlocks } from './fences.ts'
import { hasCode, looksLikeCode, saidLanguage, setsResult } from './language.ts'
import { isDiff, newSide, patched } from './patch.ts'
import { joined } from './pieces.ts'
import { withoutThoughts } from './thoughts.ts'
import { unfenced } from './unfenced.ts'
import { unwrapped } from './unwrapped.ts'

export type Extraction = { code: string } | { none: string }

/**
 * The code of an answer. Thoughts are cut. Of several fenced blocks in the language (or, where none names it, in none)
 * the last complete one that sets RESULT is the program, else the last complete one, else one that was cut off, so that it
 * is judged as the broken code that it is. A diff is applied to the program before it; pieces that need each other are
 * put together; code inside JSON is taken out. Without a fence the code is taken out of the prose.
 */
export function extract(answer: string, language: Language): Extraction {
  const text = withoutThoughts(answer.replace(/\r\n?/g, '\n').replace(/^\uFEFF/, ''))
  if (text === null) return { none: 'the answer ends within its thoughts' }
  if (text.trim() === '') return { none: 'the answer is empty' }
  const inner = unwrapped(text)
  if (inner !== null) return extract(inner, language)
  const all = fencedBlocks(text)
  const blocks = all.filter(({ code }) => hasCode(code, language))
  const found = fromBlocks(blocks, language)
  if (found !== null) return { code: found }
  const outside = all.length === 0 ? unfenced(text, language) : null
  if (outside !== null) return { code: outside }
  return { none: whyNot(all, blocks) }
}

function fromBlocks(blocks: readonly FencedBlock[], language: Language): string | null {
  const inJson = blocks.map(({ tag, code }) => (tag === 'json' || tag === '' ? unwrapped(code) : null))
  const programs = blocks.filter(({ tag, code }) => saidLanguage(tag, language) === 'this' && !isDiff(tag, code))
  const candidates = programs.length
    ? programs
    : blocks.filter(({ tag, code }) => saidLanguage(tag, language) === 'none' && looksLikeCode(code, language) && !isDiff(tag, code))
  const chosen = lastOf(candidates)
  const diff = blocks.findLast(({ tag, code, closed }) => closed && isDiff(tag, code))
  if (chosen && diff && blocks.indexOf(diff) > blocks.indexOf(chosen)) return patched(chosen.code, diff.code) ?? chosen.code
  if (chosen) return wholeOf(candidates, chosen, language)
  if (diff && looksLikeCode(newSide(diff.code), language)) return newSide(diff.code)
  const wrapped = inJson.findLast((code) => code !== null && looksLikeCode(code, language))
  return wrapped ?? null
}

function lastOf(blocks: readonly FencedBlock[]): FencedBlock | undefined {
  const closed = blocks.filter((block) => block.closed)
  return closed.findLast(({ code }) => setsResult(code)) ?? closed.at(-1) ?? blocks.at(-1)
}

/** The block with the pieces that it needs, if it is one of several. */
function wholeOf(candidates: readonly FencedBlock[], chosen: FencedBlock, language: Language): string {
  if (language !== 'javascript') return chosen.code
  const pieces = candidates.slice(0, candidates.indexOf(chosen) + 1).filter(({ closed }) => closed)
  if (pieces.filter(({ code }) => setsResult(code)).length > 1) return chosen.code
  return joined(pieces.map(({ code }) => code)) ?? chosen.code
}

function whyNot(all: readonly FencedBlock[], blocks: readonly FencedBlock[]): string {
  if (all.length === 0) return 'the answer is prose, without any code'
  if (blocks.length === 0) return 'the code block of the answer is empty'
  const tag = blocks.at(-1)?.tag
  return tag ? `the only code block of the answer is ${tag}` : 'the code block of the answer holds no code in the language'
}
