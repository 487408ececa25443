/** A mutation operator: one kind of mistake that a program may hold. Knows no oracle. */
import type { Program } from '@stateeval/contracts'
import type { Rng } from '../rng.ts'
import type { Known } from './known.ts'

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
