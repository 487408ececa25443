/** Fenced blocks as models mean them: what stands beside a fence is put where it belongs. */
import type { Language } from '@stateeval/contracts'
import { type FencedBlock, fencedBlocks } from './fences.ts'
import { beginsProgram, isTag, saidLanguage, withoutLanguageLine } from './language.ts'
import { beginsWithThought, withoutThoughts } from './thoughts.ts'

export type Block = Pick<FencedBlock, 'tag' | 'code' | 'closed'>

export const programBlocks = (blocks: readonly FencedBlock[], language: Language): Block[] =>
  blocks.flatMap((block) => {
    const outer = readBlock(block, language)
    const inner = blocksWithin(outer, language)
    return inner.length > 0 ? inner : [outer]
  })

function readBlock(block: FencedBlock, language: Language): Block {
  const { info, rest, closed, inline } = block
  // An attribute, such as title="…", names no language.
  const hasAttribute = /^[\w-]+=["'\w]/.test(info) && !isTag(block.tag) && !beginsProgram(info, language)
  const tag = hasAttribute ? '' : block.tag
  // No program begins with a thought: the fence was opened before it.
  const code = beginsWithThought(block.code)
    ? withoutThoughts(block.code).text.replace(/^\n/, '')
    : block.code
  if (inline) return isTag(tag) ? { tag, code: rest, closed } : { tag: '', code: info, closed }
  // A line of the program stands behind the fence, with or without a tag before it.
  if (isTag(tag) && beginsProgram(rest, language)) return { tag, code: `${rest}\n${code}`, closed }
  if (!isTag(tag) && beginsProgram(info, language)) return { tag: '', code: `${info}\n${code}`, closed }
  if (saidLanguage(tag, language) === 'other') return { tag, code, closed }
  const { code: program, languageName } = withoutLanguageLine(code)
  return {
    tag: languageName !== null && saidLanguage(tag, language) === 'none' ? languageName : tag,
    code: program,
    closed,
  }
}

/** A block of Markdown, or a longer fence around the whole answer: the program is in a block within. */
function blocksWithin({ tag, code }: Block, language: Language): Block[] {
  const isWrapper =
    tag === 'markdown' ||
    tag === 'md' ||
    (saidLanguage(tag, language) === 'none' && /^\s*(?:```|~~~)/.test(code))
  if (!isWrapper) return []
  return fencedBlocks(code)
    .blocks.map((block) => readBlock(block, language))
    .filter((block) => saidLanguage(block.tag, language) === 'this')
}
