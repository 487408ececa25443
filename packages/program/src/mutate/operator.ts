/** A mutation operator: one kind of mistake that a program may hold. Knows no oracle. */
import type { Program, Step } from '@stateeval/contracts'
import type { Rng } from '../rng.ts'
import type { Known } from './known.ts'
import { nameOf, type StepPosition, withStepsAt } from './positions.ts'

/** One place where an operator applies, named for a reader, with what it does there. */
export interface Site {
  /** Unique within the operator's sites of a program: `then[1].id: response_0[0].id`. */
  where: string
  change(rng: Rng): Program
}
export interface MutationOperator {
  id: string
  /** The mistake in a sentence. */
  about: string
  /**
   * Every place where it applies; each change gives a program that differs and can be emitted. Mistakes with
   * lists and answers need `known`: without it there are none.
   */
  sites(program: Program, known?: Known): Site[]
}

/** A mistake in one step: others stand in its place. Who runs many mutants needs no program of each. */
export class StepSite implements Site {
  readonly program: Program
  readonly place: StepPosition
  readonly steps: readonly Step[]
  private readonly spell: () => string

  /** `spell`: what follows the place's name; asked where somebody reads it. */
  constructor(program: Program, place: StepPosition, steps: readonly Step[], spell: () => string) {
    this.program = program
    this.place = place
    this.steps = steps
    this.spell = spell
  }

  get where(): string {
    return nameOf(this.place) + this.spell()
  }
  change(): Program {
    return withStepsAt(this.program, this.place, this.steps)
  }
}
