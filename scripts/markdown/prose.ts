/**
 * Checks the part of our writing rules that a machine can: length of sentences, paragraphs, cells and lines,
 * and plain words.
 */
import { type Page, type Prose, replaceCode, withoutCode } from './scan.ts'

interface Finding {
  line: number
  text: string
}
interface Findings {
  faults: Finding[]
  /** Sentences that are longer than most should be. */
  warnings: Finding[]
}

const maxWords = 35
const longWords = 25
const maxCellWords = 25
const maxSentences = 5
const maxWidth = 120

/** A phrase of ours, and the words that readers know. */
const phrases: readonly [RegExp, string][] = [
  [/\bof (?:its|their|our) own\b/i, 'own (before the noun), separate'],
  [/\b(?:can(?:’t|'t|not)?|to|may|could) be had\b/i, 'available, obtainable'],
  [/\b(?:is|are|was|were|be) told\b/i, 'reports, learns, gets'],
  [/\b(?:goes|go|went|going) on\b(?! (?:line|page)\b)/i, 'continues'],
  [/\b(?:stands|stand|stood) (?:in|there|beside|above|below|behind|under|by|on)\b/i, 'is'],
  [/\bwhat (?:is|was) there\b/i, 'existing, present'],
  [/\bnothing but\b/i, 'only'],
  [/\bso (?:many|much) as\b/i, 'up to, at most'],
  [/\b(?:as|than) (?:it|they) (?:is|are) there\b/i, 'existing'],
  [/\bis to be\b|\bare to be\b/i, 'must be, will be'],
  [/\bbears?\b(?! in mind)/i, 'has, contains'],
  [/\banew\b/i, 'again'],
  [/\bwhatever\b(?! (?:it|they) (?:is|are) called)/i, 'regardless of, any'],
  [/\bmended?\b/i, 'fixed, repaired'],
  [/\bof (?:yours|ours|theirs)\b/i, 'your, our, their'],
  [/\b(?:who|what|where) (?:has|have) none\b/i, 'without'],
  [/\bbeside(?:s)? the way\b/i, 'also'],
  [/\b(?:is|are|was|were) to (?:give|know|wait|read|ask|write|have)\b/i, 'must, will'],
  [/\b(?:every|any|some|no)body\b/i, 'everyone, anyone, someone, no one'],
  [/\bfor ever\b/i, 'permanently, never ends'],
  [/\bsays (?:of|nothing of)\b/i, 'describes, does not concern'],
  [/\b(?:broke|breaks|break|breaking) off\b/i, 'cut off, interrupted'],
  [/\bbecame of\b|\bbecomes of\b/i, 'outcome of'],
  [/\bgoes its way\b/i, 'continues'],
  [
    /(?<!there )\bis no (?:JSON|object|list|text|vector|URL|program|number|subnet|endpoint|tensor)\b/i,
    'is not a',
  ],
  [/\bwhich are (?:there|here)\b|\bwhere it (?:is|was) there\b/i, 'available'],
]

/** Words of a text; code counts as one, a link as its text. */
const plainText = (text: string): string =>
  replaceCode(text, () => 'code')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, (_, label: string) => (label.endsWith('.md') ? 'code' : label))
    .replaceAll(/<[^<>]+>/g, ' ')
    .replaceAll(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, '')
const wordsOf = (text: string): number =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/** Sentences; a dot in a number, a name or an abbreviation ends none. */
const sentencesOf = (text: string): string[] =>
  text
    .replaceAll(/\b(?:e\.g|i\.e|cf|vs|etc|et al|Sect?|Fig|No)\. /g, (abbreviation) =>
      abbreviation.replace('. ', '.\u00A0'),
    )
    .split(/(?<=[.!?][)”"’]?) +(?=[\p{Lu}\p{N}“"(]|code\b)/u)
    .filter((sentence) => sentence.trim() !== '')

/** Findings in one text, such as a paragraph, a help text or a description of a contract. */
function proseFindings({ kind, text, line }: Prose): Findings {
  const faults: Finding[] = []
  const warnings: Finding[] = []
  // A quotation is not our prose.
  if (kind === 'quote') return { faults, warnings }
  const plain = plainText(text)
  const start = (sentence: string) => `“${sentence.trim().split(/\s+/).slice(0, 6).join(' ')} …”`
  const sentences = sentencesOf(plain)
  for (const sentence of sentences) {
    const words = wordsOf(sentence)
    const finding = { line, text: `A sentence has ${words} words: ${start(sentence)}` }
    if (words > maxWords) faults.push(finding)
    else if (words > longWords) warnings.push(finding)
  }
  if (kind === 'paragraph' && sentences.length > maxSentences)
    faults.push({ line, text: `A paragraph has ${sentences.length} sentences: ${start(plain)}` })
  if (kind === 'cell' && wordsOf(plain) > maxCellWords)
    faults.push({ line, text: `A table cell has ${wordsOf(plain)} words: ${start(plain)}` })
  faults.push(...faultyPhrases(plain).map((fault) => ({ line, text: fault })))
  return { faults, warnings }
}

/** A sentence for each phrase of ours in a text. */
export const faultyPhrases = (text: string): string[] =>
  phrases.flatMap(([phrase, better]) => {
    const found = phrase.exec(text)
    return found ? [`“${found[0]}”: write ${better}.`] : []
  })

/** Findings in a page, by line. Blocks of code and generated tables keep their width. */
export function pageFindings(page: Page): Findings {
  const all = page.prose.map(proseFindings)
  const faults = all.flatMap((one) => one.faults)
  const inFence = new Set(
    page.fences.flatMap(({ line, text }) =>
      Array.from({ length: text.split('\n').length + 2 }, (_, offset) => line + offset),
    ),
  )
  page.lines.forEach((text, index) => {
    const line = index + 1
    if (inFence.has(line) || text.startsWith('|') || text.length <= maxWidth) return
    // A link cannot be broken.
    if (withoutCode(text).trim().split(/\s+/).length > 1)
      faults.push({ line, text: `The line has ${text.length} characters; wrap it at ${maxWidth}.` })
  })
  return { faults: faults.sort((a, b) => a.line - b.line), warnings: all.flatMap((one) => one.warnings) }
}
