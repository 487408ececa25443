/** Says a program: clauses grouped into sentences, sentences into paragraphs or a numbered list. */
import type { Block, Condition, Program, ResultEntry, Step } from '@stateeval/contracts'
import { isCall, type Scenario } from '@stateeval/program'
import { sayCall } from './call-clause.ts'
import { sayCondition } from './condition.ts'
import {
  afterCall,
  afterEdit,
  afterSentence,
  atOtherwise,
  beginning,
  type Context,
  phraseOf,
} from './context.ts'
import { sayEdit } from './edit-clause.ts'
import { hasShape } from './form.ts'
import { capital, connective, join, sentence, withConnective } from './plan.ts'
import { sayResult } from './result-clause.ts'
import { otherwises } from './sentence.ts'
import type { Voice } from './voice.ts'

type Spoken = { ok: true; instruction: string } | { ok: false; reason: string }

/** A step that no sentence of the grammar says. */
class Unsayable extends Error {}

/** Says a program in one of its wordings, chosen by the voice. */
export function speak(
  program: Program,
  scenario: Pick<Scenario, 'operations' | 'vocabulary'>,
  voice: Voice,
): Spoken {
  try {
    const speaker = new Speaker(voice)
    const context = beginning(
      scenario,
      program.variables.map(({ name }) => name),
    )
    return { ok: true, instruction: speaker.program(program, context) }
  } catch (error) {
    if (error instanceof Unsayable) return { ok: false, reason: error.message }
    throw error
  }
}

class Speaker {
  private readonly voice: Voice
  /** A numbered list in place of paragraphs. */
  private readonly list: boolean
  private last = ''
  constructor(voice: Voice) {
    this.voice = voice
    this.list = voice.rng.chance(0.2)
  }

  program({ body, result, branch }: Program, context: Context): string {
    if (!branch)
      return this.text(this.block({ steps: body, result: result ?? [] }, context, 'first').sentences)
    const main = this.steps(body, context, 'first')
    const condition = this.condition(branch.condition, main.context)
    const then = this.block(branch.then, main.context, 'branch')
    const otherwise = this.block(branch.otherwise, atOtherwise(main.context), 'branch')
    const word = this.voice.rng.weighted(otherwises, (text) => (text === 'Otherwise' ? 6 : 1))
    if (this.list) {
      const bullets = (sentences: string[]) => sentences.map((text) => `   - ${text}`).join('\n')
      const items = [
        ...main.sentences,
        `${sentence(`if ${condition}`, ':')}\n${bullets(then.sentences)}`,
        `${sentence(word, ':')}\n${bullets(otherwise.sentences)}`,
      ]
      return this.text(items)
    }
    const open = (start: string, [first, ...rest]: string[]) =>
      [capital(`${start}, ${first ?? ''}`), ...rest].join(' ')
    const paragraphs = [open(`if ${condition}`, then.sentences), open(word, otherwise.sentences)]
    if (main.sentences.length > 0) paragraphs.unshift(main.sentences.join(' '))
    return paragraphs.join('\n\n')
  }

  private text(sentences: string[]): string {
    return this.list
      ? sentences.map((text, index) => `${index + 1}. ${text}`).join('\n')
      : sentences.join(' ')
  }

  private condition(condition: Condition, context: Context): string {
    return said(
      sayCondition(condition, context, this.voice),
      () => `the condition on ${condition.variable} can't be said`,
    )
  }

  /** The steps of a block and its RESULT. The first sentence of a branch in prose goes on after a comma. */
  private block({ steps, result }: Block, context: Context, place: 'first' | 'branch') {
    return this.steps(steps, context, place, result)
  }

  private steps(
    steps: readonly Step[],
    start: Context,
    place: 'first' | 'branch',
    result?: readonly ResultEntry[],
  ) {
    const { rng } = this.voice
    const sentences: string[] = []
    let context = start
    const finish = (clauses: string[], closes: boolean) => {
      const text = join(clauses, rng)
      const goesOn = place === 'branch' && sentences.length === 0 && !this.list
      const how =
        goesOn || this.list
          ? ''
          : connective(
              sentences.length === 0
                ? place === 'first'
                  ? 'opening'
                  : 'none'
                : closes
                  ? 'closing'
                  : 'following',
              text,
              this.last,
              rng,
            )
      this.last = how
      sentences.push(goesOn ? `${text}.` : sentence(withConnective(how, text)))
      context = afterSentence(context)
    }
    let clauses: string[] = []
    for (const [index, step] of steps.entries()) {
      const goesOn = place === 'branch' && sentences.length === 0 && !this.list
      const { text, after } = this.step(step, context, {
        ...this.voice,
        follows: goesOn || clauses.length > 0,
      })
      clauses.push(text)
      context = after
      const next = steps[index + 1]
      // An edit is told with the call that it is made for.
      const stop =
        clauses.length >= 3 || clauses.join('').length > 150 || rng.chance(isCall(step) ? 0.6 : 0.2)
      if (next && !stop) continue
      if (!next && result && clauses.length < 3 && clauses.join('').length < 120 && rng.chance(0.3)) break
      finish(clauses, false)
      clauses = []
    }
    if (result) {
      clauses.push(
        said(sayResult(result, context, this.voice), () => 'RESULT refers to something that can’t be said'),
      )
      finish(clauses, clauses.length === 1)
    }
    return { sentences, context }
  }

  private step(step: Step, context: Context, voice: Voice): { text: string; after: Context } {
    if (!isCall(step)) {
      const text = said(
        sayEdit(step, context, voice),
        () => `the edit of ${step.target.variable} can't be said`,
      )
      return { text, after: afterEdit(context, step) }
    }
    const phrase = phraseOf(context, step.api)
    if (!phrase) throw new Unsayable(`the scenario has no API ${step.api}`)
    if (!hasShape(step, phrase)) throw new Unsayable(`${step.api} is not called as its documentation says`)
    const text = said(sayCall(step, context, voice), () => `no phrase of ${step.api} says this call`)
    return {
      text,
      after: afterCall(context, step, phrase, step.binds ?? `(unbound ${context.statedCalls.length})`),
    }
  }
}

function said(text: string | null, why: () => string): string {
  if (text === null) throw new Unsayable(why())
  return text
}
