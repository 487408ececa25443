/** Writes a program: clauses grouped into sentences, sentences into paragraphs or a numbered list. */
import type { StepBlock, Program, ProgramStep } from '@stateeval/contracts'
import {
  type BlockName,
  getRootBlock,
  isCall,
  isNested,
  isOnPath,
  listExecutionPaths,
  listIfs,
  listSides,
  nameBranch,
  type Scenario,
} from '@stateeval/program'
import { sayCase } from './case-clause.ts'
import { sayCondition } from './condition.ts'
import { enterOtherwise, createContext, type TranslationContext } from './context.ts'
import { writeList, writeProse, type LayoutSentence } from './layout.ts'
import { capitalize, chooseConnective, join, maxWords, splitAllWords, withConnective } from './plan.ts'
import { sayResult } from './result-clause.ts'
import { requireText, sayStep, UnsayableError } from './say-step.ts'
import { otherwises, still, theFollowing } from './sentence.ts'
import type { WordingVoice } from './voice.ts'

type SpokenInstruction = { ok: true; instruction: string } | { ok: false; reason: string }

/** The place of a clause: its block with the number of its step, or the other part that it expresses. */
export type ClausePlace = `${BlockName}/${number | 'condition' | 'result'}`
/** For each place, the calls whose outputs are said to be as returned, by their numbers on the path. */
type ReturnedCalls = ReadonlyMap<ClausePlace, ReadonlySet<number>>

/**
 * Writes a program in one of its wordings, chosen by the voice. `returned`: where the text states that a
 * value is as returned.
 */
export function writeInstruction(
  program: Program,
  scenario: Pick<Scenario, 'operations' | 'vocabulary'>,
  voice: WordingVoice,
  returned: ReturnedCalls = new Map(),
): SpokenInstruction {
  try {
    const speaker = new SentenceWriter(program, voice, returned)
    const context = createContext(
      scenario,
      program.variables.map(({ name }) => name),
    )
    return { ok: true, instruction: speaker.program(context) }
  } catch (error) {
    if (error instanceof UnsayableError) return { ok: false, reason: error.message }
    throw error
  }
}

/** From so many steps on a path, sentences stand in paragraphs, never in a numbered list. */
const long = 10
/** Sentences of a paragraph. */
const paragraph = 4

interface BlockFrame {
  block: BlockName
  /** How the first sentence begins: `If …`. In a list it has its own item. */
  opening: string
}
/** The sentences of a block, without those of the branches at its end. */
interface SpokenBlock {
  opening: string
  sentences: LayoutSentence[]
}

class SentenceWriter {
  private readonly source: Program
  private readonly voice: WordingVoice
  private readonly returned: ReturnedCalls
  /** A numbered list in place of paragraphs. */
  private readonly list: boolean
  /** With ifs in branches, a branch says in which case it runs: 'otherwise' could belong to several. */
  private readonly nested: boolean
  private last = ''
  constructor(source: Program, voice: WordingVoice, returned: ReturnedCalls) {
    this.source = source
    this.voice = voice
    this.returned = returned
    this.nested = isNested(source)
    const steps = Math.max(...listExecutionPaths(source).map((path) => path.steps.length))
    this.list = voice.rng.chance(0.2) && steps < long && !this.nested
  }

  program(context: TranslationContext): string {
    const [main, ...branches] = this.blocks(getRootBlock(this.source), context, {
      block: 'body',
      opening: '',
    })
    const { sentences = [] } = main ?? {}
    return this.list
      ? writeList(sentences, branches)
      : writeProse(
          sentences,
          branches.map((branch) => branch.sentences),
        )
  }

  /** The sentences of a block and of the branches at its end, in the order in which they are told. */
  private blocks(block: StepBlock, start: TranslationContext, frame: BlockFrame): SpokenBlock[] {
    const { branch } = block
    const { opening, block: name } = frame
    const inSentence = this.list || opening === '' ? '' : `${opening}, `
    const parts = { steps: block.steps, result: branch ? null : block.result }
    const { sentences, context } = this.block(parts, start, { block: name, opening: inSentence })
    if (inSentence !== '' && sentences.length === 0)
      sentences.push({ text: capitalize(`${inSentence}${theFollowing}`), items: [], opens: false })
    const spoken = { opening: capitalize(opening), sentences }
    if (!branch) return [spoken]
    const condition = requireText(
      sayCondition(branch.condition, context, this.at(`${name}/condition`)),
      () => `the condition on ${branch.condition.variable} cannot be phrased`,
    )
    const [then, otherwise] = [nameBranch(name, 'then'), nameBranch(name, 'otherwise')]
    const openings = [
      `${name === 'body' ? '' : `${still} `}if ${condition}`,
      this.nested
        ? this.sayCaseOf(otherwise)
        : this.voice.rng.weighted(otherwises, (text) => (text === 'Otherwise' ? 6 : 1)),
    ] as const
    return [
      spoken,
      ...this.blocks(branch.then, context, { block: then, opening: openings[0] }),
      ...this.blocks(branch.otherwise, enterOtherwise(context), { block: otherwise, opening: openings[1] }),
    ]
  }

  /** The case in which a branch runs. */
  private sayCaseOf(block: BlockName): string {
    const numbers = listIfs(this.source).flatMap(({ block: around }, number) =>
      around !== block && isOnPath(around, block) ? [number] : [],
    )
    return sayCase(
      listSides(block).map((side, depth) => ({ number: numbers[depth]!, holds: side === 'then' })),
    )
  }

  private at(place: ClausePlace): WordingVoice {
    const returned = this.returned.get(place)
    return returned ? { ...this.voice, returned } : this.voice
  }

  private block(
    { steps, result }: { steps: readonly ProgramStep[]; result: StepBlock['result'] | null },
    start: TranslationContext,
    { block, opening }: BlockFrame,
  ): { sentences: LayoutSentence[]; context: TranslationContext } {
    const { rng } = this.voice
    const sentences: LayoutSentence[] = []
    let context = start
    let clauses: string[] = []
    let sinceParagraph = 0
    // The steps then follow the condition in sentences of their own.
    const mayFollow = this.nested || listSides(block).at(-1) === 'then'
    const goesOn = () => clauses.length > 0 || (opening !== '' && sentences.length === 0)
    const words = () =>
      splitAllWords(...clauses, sentences.length === 0 ? opening : sinceParagraph >= paragraph ? still : '')
    const finish = (closes: boolean, items: readonly string[] = []) => {
      const text = join(clauses, rng)
      const opens = !this.list && sinceParagraph >= paragraph && !closes
      const follows = sentences.at(-1)?.text.endsWith(theFollowing) === true
      const isFirst = sentences.length === 0 || follows
      const how = this.beginning(text, { block, opens, closes, isFirst, opening: follows ? '' : opening })
      sentences.push({
        text: capitalize(how === opening ? `${how}${text}` : withConnective(how, text)),
        items,
        opens,
      })
      sinceParagraph = opens ? 1 : sinceParagraph + 1
      clauses = []
    }
    for (const [index, step] of steps.entries()) {
      const voice = this.at(`${block}/${index}`)
      let clause = sayStep(step, context, { ...voice, follows: goesOn() })
      const isTooLong = () => words() + splitAllWords(clause.text) > maxWords
      if (clauses.length > 0 && isTooLong()) {
        finish(false)
        clause = sayStep(step, context, { ...voice, follows: goesOn() })
      }
      if (goesOn() && clauses.length === 0 && mayFollow && isTooLong()) {
        clauses.push(theFollowing)
        finish(false)
        clause = sayStep(step, context, voice)
      }
      clauses.push(clause.text)
      context = clause.after
      // An edit is stated with the call for which it is made.
      const stops = clauses.length >= 3 || rng.chance(isCall(step) ? 0.6 : 0.2)
      const isLast = index === steps.length - 1
      if (stops && !(isLast && result && clauses.length < 3 && rng.chance(0.3))) finish(false)
    }
    if (clauses.length > 0 && (!result || words() > 25)) finish(false)
    if (result) {
      const resultClause = sayResult(result, context, this.at(`${block}/result`))
      if (!resultClause) throw new UnsayableError('RESULT refers to something that cannot be phrased')
      if (clauses.length > 0 && words() + splitAllWords(resultClause.text) > maxWords) finish(false)
      clauses.push(resultClause.text)
      finish(clauses.length === 1, resultClause.items)
    }
    return { sentences, context }
  }

  /** The words before a sentence: a connective, the opening of its block, or none. */
  private beginning(
    text: string,
    sentence: {
      block: BlockFrame['block']
      opens: boolean
      closes: boolean
      isFirst: boolean
      opening: string
    },
  ): string {
    const { block, opens, closes, isFirst, opening } = sentence
    if (isFirst && opening !== '') return opening
    if (this.list) return ''
    // Paragraphs after the first one of a branch say that they belong to it.
    if (opens && block !== 'body') return still
    const place = isFirst ? (block === 'body' ? 'opening' : 'none') : closes ? 'closing' : 'following'
    this.last = chooseConnective(place, text, this.last, this.voice.rng)
    return this.last
  }
}
