/** Finds the program in what a model answered, or says why there is none (docs/answers.md). */
import type { Language } from '@stateeval/contracts'
import { type CodeBlock, readBlockCode, selectProgramBlocks } from './blocks.ts'
import { type FencedAnswer, readFencedBlocks } from './fences.ts'
import { hasCode, isLikelyCode, isParsable, compareLanguageTag, hasResult } from './language.ts'
import { readMarkedBlocks } from './marked.ts'
import { isDiff, readNewSide, applyPatch } from './patch.ts'
import { joinCodePieces } from './pieces.ts'
import { isEndingInString, createLineReader } from './strings.ts'
import { readText, readSpoken } from './text.ts'
import { readUnfenced, readUnfencedWithFences } from './unfenced.ts'
import { unwrapText } from './unwrapped.ts'

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
  const { text, endsInThought } = readSpoken(answer)
  const program = extractProgram(text, language)
  if ('code' in program || !endsInThought) return program
  return { none: 'the answer ends within its thoughts' }
}

function extractProgram(text: string, language: Language, depth = 0): ProgramReading {
  if (text.trim() === '') return { none: 'the answer is empty' }
  const inner = depth < maxWrappings ? unwrapText(text) : null
  if (inner !== null) return extractProgram(readSpoken(inner).text, language, depth + 1)
  const fenced = readFencedBlocks(text)
  const blocks = selectProgramBlocks(fenced.blocks, language)
  const program =
    readUnfencedWithFences(text, language) ??
    withHeldFences(text, blocks, language) ??
    readFromBlocks(blocks, language) ??
    readFromJson(blocks, language, depth) ??
    readFromMarks(fenced.outside, language) ??
    readUnfenced(fenced.outside, language)
  // Of a diff or of plain code, the first line may still be none of the program.
  const code = readBlockCode(program ?? '')
  return hasCode(code, language) ? { code } : { none: explainMissingProgram(fenced, blocks, language) }
}

/** The program in the JSON of a block, which is read as JSON around the answer is. */
function readFromJson(blocks: readonly CodeBlock[], language: Language, depth: number): string | null {
  if (depth >= maxWrappings) return null
  for (const block of blocks.toReversed()) {
    const inner = unwrapBlock(block)
    const reading = inner === null ? null : extractProgram(readSpoken(inner).text, language, depth + 1)
    if (reading && 'code' in reading) return reading.code
  }
  return null
}
const unwrapBlock = ({ tag, code }: CodeBlock) => (tag === 'json' || tag === '' ? unwrapText(code) : null)

/**
 * Reads the text of an answer, and the blocks of code in it, for readers that look for something else than a
 * program that sets RESULT. null where it ends within its thoughts.
 */
export const readBlocks = (answer: string, language: Language): AnswerBlocks | null =>
  extractBlocks(answer, language, 0)

interface AnswerBlocks {
  text: string
  blocks: CodeBlock[]
}

function extractBlocks(answer: string, language: Language, depth: number): AnswerBlocks | null {
  const text = readText(answer)
  if (text === null) return null
  const inner = depth < maxWrappings ? unwrapText(text) : null
  if (inner !== null) return extractBlocks(inner, language, depth + 1)
  const { blocks, outside } = readFencedBlocks(text)
  const written = blocks.length > 0 ? selectProgramBlocks(blocks, language) : readMarkedBlocks(outside)
  return { text, blocks: written.flatMap((block) => openBlock(block, language, depth)) }
}

/** A block, or those in its JSON. */
function openBlock(block: CodeBlock, language: Language, depth: number): CodeBlock[] {
  const inner = depth < maxWrappings ? unwrapBlock(block) : null
  if (inner === null) return [{ ...block, code: readBlockCode(block.code) }]
  const within = extractBlocks(inner, language, depth + 1)
  if (within === null || within.blocks.length > 0) return within?.blocks ?? []
  return [{ tag: '', code: readBlockCode(within.text), closed: true }]
}
/** JSON in JSON is taken apart so many times. */
const maxWrappings = 3

/** Code between marks other than fences. What stands beside it there is prose. */
function readFromMarks(text: string, language: Language): string | null {
  const blocks = readMarkedBlocks(text).flatMap((block) => {
    if (compareLanguageTag(block.tag, language) === 'this')
      return [{ ...block, code: readBlockCode(block.code) }]
    const code = block.tag === '' ? readUnfenced(block.code, language) : null
    return code === null ? [] : [{ ...block, code }]
  })
  return readFromBlocks(blocks, language)
}

function readFromBlocks(all: readonly CodeBlock[], language: Language): string | null {
  const blocks = all.filter(({ code }) => hasCode(code, language))
  const programs = blocks.filter(
    ({ tag, code }) => compareLanguageTag(tag, language) === 'this' && !isDiff(tag, code),
  )
  const candidates = programs.length
    ? programs
    : blocks.filter(
        ({ tag, code }) =>
          compareLanguageTag(tag, language) === 'none' && isLikelyCode(code, language) && !isDiff(tag, code),
      )
  const block = getLastBlock(candidates)
  const diff = blocks.findLast(({ tag, code, closed }) => closed && isDiff(tag, code))
  if (block && diff && blocks.indexOf(diff) > blocks.indexOf(block))
    return applyPatch(block.code, diff.code) ?? block.code
  if (block) return findWholeProgram(candidates, block, language)
  return diff && isLikelyCode(readNewSide(diff.code), language) ? readNewSide(diff.code) : null
}

/**
 * The program where a fence in a string cuts it: a block ends inside a string, and the answer has no other
 * whole program. It is read again with fences in strings as a part of them; null where that gives no whole
 * program either.
 */
function withHeldFences(text: string, blocks: readonly CodeBlock[], language: Language): string | null {
  const isCut = ({ tag, code }: CodeBlock) =>
    compareLanguageTag(tag, language) !== 'other' && isEndingInString(code, language)
  if (!blocks.some(isCut)) return null
  const plain = readFromBlocks(blocks, language)
  if (plain !== null && isWhole(plain, language)) return null
  const reader = (tag: string) =>
    compareLanguageTag(tag, language) === 'other' ? null : createLineReader(language)
  const program = readFromBlocks(
    selectProgramBlocks(readFencedBlocks(text, reader).blocks, language),
    language,
  )
  return program !== null && isWhole(program, language) && (language !== 'javascript' || isParsable(program))
    ? program
    : null
}
const isWhole = (code: string, language: Language) => hasResult(code) && !isEndingInString(code, language)

function getLastBlock(blocks: readonly CodeBlock[]): CodeBlock | undefined {
  const closed = blocks.filter((block) => block.closed)
  return closed.findLast(({ code }) => hasResult(code)) ?? closed.at(-1) ?? blocks.at(-1)
}

/** The block with the pieces that it needs, if it is one of several. */
function findWholeProgram(candidates: readonly CodeBlock[], block: CodeBlock, language: Language): string {
  const pieces = candidates.slice(0, candidates.indexOf(block) + 1).filter(({ closed }) => closed)
  if (pieces.filter(({ code }) => hasResult(code)).length > 1) return block.code
  return (
    joinCodePieces(
      pieces.map(({ code }) => code),
      language,
    ) ?? block.code
  )
}

function explainMissingProgram(
  { blocks: all }: FencedAnswer,
  blocks: readonly CodeBlock[],
  language: Language,
): string {
  if (all.length === 0) return 'the answer is prose, without any code'
  if (blocks.every(({ code }) => code.trim() === '')) return 'the code block of the answer is empty'
  const last = blocks.findLast(({ code }) => hasCode(code, language))
  if (!last) return 'the code block of the answer contains only comments'
  return last.tag
    ? `the only code block of the answer is ${last.tag}`
    : 'the code block of the answer contains no code in the language'
}
