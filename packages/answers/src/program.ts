/** Finds the program in what a model answered, or says why there is none (docs/answers.md). */
import type { Language } from '@stateeval/contracts'
import { type Block, programBlocks } from './blocks.ts'
import { type Fenced, fencedBlocks } from './fences.ts'
import { hasCode, looksLikeCode, parses, saidLanguage, setsResult } from './language.ts'
import { markedBlocks } from './marked.ts'
import { isDiff, newSide, patched } from './patch.ts'
import { joined } from './pieces.ts'
import { endsInString, lineReader } from './strings.ts'
import { readText, spokenIn } from './text.ts'
import { unfenced, unfencedWithFences } from './unfenced.ts'
import { unwrapped } from './unwrapped.ts'

type ProgramReading = { code: string } | { none: string }

/**
 * The program of an answer. Thoughts and leftovers are cut. Of several fenced blocks in the language (or,
 * where none names it, in none) the last complete one that sets RESULT is the program, else the last complete
 * one, else one that was cut off, so that it is judged as the broken code that it is. A diff is applied to
 * the program before it; pieces that need each other are put together; code inside JSON is taken out. Without
 * a fence, code between other marks is read, else the code is taken out of the prose. A fence inside a string
 * of the program belongs to the program.
 */
export function readProgram(answer: string, language: Language): ProgramReading {
  const { text, endsInThought } = spokenIn(answer)
  const program = programIn(text, language)
  if ('code' in program || !endsInThought) return program
  return { none: 'the answer ends within its thoughts' }
}

function programIn(text: string, language: Language, depth = 0): ProgramReading {
  if (text.trim() === '') return { none: 'the answer is empty' }
  const inner = depth < maxWrappings ? unwrapped(text) : null
  if (inner !== null) return programIn(spokenIn(inner).text, language, depth + 1)
  const fenced = fencedBlocks(text)
  const blocks = programBlocks(fenced.blocks, language)
  const program =
    unfencedWithFences(text, language) ??
    withHeldFences(text, blocks, language) ??
    fromBlocks(blocks, language) ??
    fromMarks(fenced.outside, language) ??
    unfenced(fenced.outside, language)
  return program === null ? { none: whyNot(fenced, blocks, language) } : { code: program }
}

/**
 * Reads the text of an answer, and the blocks of code in it, for readers that look for something else than a
 * program that sets RESULT. null where it ends within its thoughts.
 */
export function readBlocks(answer: string, language: Language): { text: string; blocks: Block[] } | null {
  let text = readText(answer)
  for (let depth = 0; text !== null && depth < maxWrappings; depth++) {
    const inner = unwrapped(text)
    if (inner === null) break
    text = readText(inner)
  }
  if (text === null) return null
  const { blocks, outside } = fencedBlocks(text)
  return { text, blocks: blocks.length > 0 ? programBlocks(blocks, language) : markedBlocks(outside) }
}
/** JSON in JSON is taken apart so many times. */
const maxWrappings = 3

/** Code between marks other than fences. What stands beside it there is prose. */
function fromMarks(text: string, language: Language): string | null {
  const blocks = markedBlocks(text).flatMap((block) => {
    if (saidLanguage(block.tag, language) === 'this') return [block]
    const code = block.tag === '' ? unfenced(block.code, language) : null
    return code === null ? [] : [{ ...block, code }]
  })
  return fromBlocks(blocks, language)
}

function fromBlocks(all: readonly Block[], language: Language): string | null {
  const blocks = all.filter(({ code }) => hasCode(code, language))
  const programs = blocks.filter(
    ({ tag, code }) => saidLanguage(tag, language) === 'this' && !isDiff(tag, code),
  )
  const candidates = programs.length
    ? programs
    : blocks.filter(
        ({ tag, code }) =>
          saidLanguage(tag, language) === 'none' && looksLikeCode(code, language) && !isDiff(tag, code),
      )
  const block = lastOf(candidates)
  const diff = blocks.findLast(({ tag, code, closed }) => closed && isDiff(tag, code))
  if (block && diff && blocks.indexOf(diff) > blocks.indexOf(block))
    return patched(block.code, diff.code) ?? block.code
  if (block) return wholeOf(candidates, block, language)
  if (diff && looksLikeCode(newSide(diff.code), language)) return newSide(diff.code)
  const inJson = blocks.map(({ tag, code }) => (tag === 'json' || tag === '' ? unwrapped(code) : null))
  const wrapped = inJson.findLast((code) => code !== null && looksLikeCode(code, language))
  return wrapped ?? null
}

/**
 * The program where a fence in a string cuts it: a block ends inside a string, and the answer has no other
 * whole program. It is read again with fences in strings as a part of them; null where that gives no whole
 * program either.
 */
function withHeldFences(text: string, blocks: readonly Block[], language: Language): string | null {
  const isCut = ({ tag, code }: Block) =>
    saidLanguage(tag, language) !== 'other' && endsInString(code, language)
  if (!blocks.some(isCut)) return null
  const plain = fromBlocks(blocks, language)
  if (plain !== null && isWhole(plain, language)) return null
  const reader = (tag: string) => (saidLanguage(tag, language) === 'other' ? null : lineReader(language))
  const program = fromBlocks(programBlocks(fencedBlocks(text, reader).blocks, language), language)
  return program !== null && isWhole(program, language) && (language !== 'javascript' || parses(program))
    ? program
    : null
}
const isWhole = (code: string, language: Language) => setsResult(code) && !endsInString(code, language)

function lastOf(blocks: readonly Block[]): Block | undefined {
  const closed = blocks.filter((block) => block.closed)
  return closed.findLast(({ code }) => setsResult(code)) ?? closed.at(-1) ?? blocks.at(-1)
}

/** The block with the pieces that it needs, if it is one of several. */
function wholeOf(candidates: readonly Block[], block: Block, language: Language): string {
  const pieces = candidates.slice(0, candidates.indexOf(block) + 1).filter(({ closed }) => closed)
  if (pieces.filter(({ code }) => setsResult(code)).length > 1) return block.code
  return (
    joined(
      pieces.map(({ code }) => code),
      language,
    ) ?? block.code
  )
}

function whyNot({ blocks: all }: Fenced, blocks: readonly Block[], language: Language): string {
  if (all.length === 0) return 'the answer is prose, without any code'
  if (blocks.every(({ code }) => code.trim() === '')) return 'the code block of the answer is empty'
  const last = blocks.findLast(({ code }) => hasCode(code, language))
  if (!last) return 'the code block of the answer contains only comments'
  return last.tag
    ? `the only code block of the answer is ${last.tag}`
    : 'the code block of the answer contains no code in the language'
}
