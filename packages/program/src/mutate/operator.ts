/** A mutation operator: one kind of mistake in programs. It does not know the oracle. */
import type { Atom, JsonValue, Program, ProgramStep } from '@stateeval/contracts'
import type { RandomSource } from '../rng.ts'
import type { KnownAnswers } from './known.ts'
import { formatPosition, type StepPosition, replaceStep } from './positions.ts'

/** One place where an operator applies, named for a reader, with its effect. */
export interface MutationSite {
  /** Unique within the operator's sites of a program: `then[1].id: response_0[0].id`. */
  where: string
  change(rng: RandomSource): Program
}
export interface MutationOperator {
  id: string
  /** The mistake in a sentence. */
  about: string
  /**
   * Every place where it applies; each change gives a program that differs and can be emitted. Mistakes with
   * lists and answers need `facts`: without it there are none.
   */
  sites(program: Program, facts?: KnownAnswers): MutationSite[]
}

/**
 * The effect of a mistake in a call, where it can be stated without the step: a wrong value of one argument,
 * or of one element of it; or a constant of the output's form, with other texts, numbers and flags, in place
 * of the call.
 */
export type MistakeHint = { argument: string; own: Atom; value: Atom } | { guessed: JsonValue }

/**
 * A mistake in one step: other steps replace it. Callers that run many mutants do not need a program of
 * each.
 */
export class StepSite implements MutationSite {
  readonly program: Program
  readonly place: StepPosition
  readonly hint: MistakeHint | undefined
  private readonly make: () => readonly ProgramStep[]
  private result: readonly ProgramStep[] | undefined
  private readonly spell: () => string

  /** `make` gives the steps and `spell` what follows the place's name, where they are asked for. */
  constructor(
    program: Program,
    place: StepPosition,
    make: () => readonly ProgramStep[],
    spell: () => string,
    hint?: MistakeHint,
  ) {
    this.program = program
    this.place = place
    this.make = make
    this.spell = spell
    this.hint = hint
  }

  get steps(): readonly ProgramStep[] {
    return (this.result ??= this.make())
  }
  get where(): string {
    return formatPosition(this.place) + this.spell()
  }
  change(): Program {
    return replaceStep(this.program, this.place, this.steps)
  }
}
