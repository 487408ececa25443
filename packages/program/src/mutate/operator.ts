/** A mutation operator: one kind of mistake that a program may hold. Knows no oracle and no scenario. */
import type { Program } from '@stateeval/contracts'
import type { Rng } from '../rng.ts'

/** One place where an operator applies, named for a reader, with what it does there. */
interface Site {
  /** Unique within the operator's sites of a program: `then[1].id: response_0[0].id`. */
  where: string
  change(rng: Rng): Program
}
export interface MutationOperator {
  id: string
  /** The mistake in a sentence. */
  about: string
  /** Every place where it applies; each change gives a program that differs and can be emitted. */
  sites(program: Program): Site[]
}
