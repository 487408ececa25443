/** Fenced blocks as models mean them: what stands beside a fence is put where it belongs. */
import type { Language } from '@stateeval/contracts'
import { type FencedBlock, readFencedBlocks } from './fences.ts'
import { isProgramBeginning, isTag, compareLanguageTag, removeLanguageLines } from './language.ts'
import { isBeginningWithThought, removeThoughts } from './thoughts.ts'

export type CodeBlock = Pick<FencedBlock, 'tag' | 'code' | 'closed'>

export const selectProgramBlocks = (blocks: readonly FencedBlock[], language: Language): CodeBlock[] =>
  blocks.flatMap((block) => {
    const outer = readBlock(block, language)
    const inner = openInnerBlocks(outer, language)
    return inner.length > 0 ? inner : [outer]
  })

/** No program begins with a thought: the block was opened before it. */
const removeFirstThought = (code: string): string =>
  isBeginningWithThought(code) ? removeThoughts(code).text.replace(/^\n/, '') : code

/** The code of a block, without thoughts and lines with the language's name before it. */
export function readBlockCode(code: string): string {
  for (let rest = code; ;) {
    const next = removeLanguageLines(removeFirstThought(rest)).code
    if (next.length === rest.length) return rest
    rest = next
  }
}

function readBlock(block: FencedBlock, language: Language): CodeBlock {
  const { info, rest, closed, inline } = block
  // An attribute, such as title="…", names no language.
  const hasAttribute = /^[\w-]+=["'\w]/.test(info) && !isTag(block.tag) && !isProgramBeginning(info, language)
  const tag = hasAttribute ? '' : block.tag
  const code = removeFirstThought(block.code)
  if (inline) return isTag(tag) ? { tag, code: readBlockCode(rest), closed } : { tag: '', code: info, closed }
  // A line of the program stands behind the fence, with or without a tag before it.
  if (isTag(tag) && isProgramBeginning(rest, language)) return { tag, code: `${rest}\n${code}`, closed }
  if (!isTag(tag) && isProgramBeginning(info, language)) return { tag: '', code: `${info}\n${code}`, closed }
  if (compareLanguageTag(tag, language) === 'other') return { tag, code, closed }
  const { code: program, languageName } = removeLanguageLines(code)
  return {
    tag: languageName !== null && compareLanguageTag(tag, language) === 'none' ? languageName : tag,
    code: readBlockCode(program),
    closed,
  }
}

/** A block of Markdown, or a longer fence around the whole answer: the program is in a block within. */
function openInnerBlocks({ tag, code }: CodeBlock, language: Language): CodeBlock[] {
  const isWrapper =
    tag === 'markdown' ||
    tag === 'md' ||
    (compareLanguageTag(tag, language) === 'none' && /^\s*(?:```|~~~)/.test(code))
  if (!isWrapper) return []
  return readFencedBlocks(code)
    .blocks.map((block) => readBlock(block, language))
    .filter((block) => compareLanguageTag(block.tag, language) === 'this')
}
