/** Finds which words of an instruction express which part of its program, by reading it. */
import type { Program } from '@stateeval/contracts'
import type { Scenario } from '@stateeval/program'
import { withBinds } from './binds.ts'
import { normalizeBehaviour } from './normal.ts'
import { type InstructionClause, readTokens } from './read.ts'
import { tokenizePlaced } from './text/lex.ts'

/** The characters of an instruction that express a step of a block, its RESULT, or the condition. */
export type InstructionPhrase = InstructionClause

/**
 * The phrases in the order of the text; empty if the instruction is not in the translator's grammar, or
 * expresses another program.
 */
export function locatePhrases({
  program,
  scenario,
  instruction,
}: {
  program: Program
  scenario: Pick<Scenario, 'operations' | 'vocabulary'>
  instruction: string
}): InstructionPhrase[] {
  const lexed = tokenizePlaced(instruction)
  const variables = new Set(program.variables.map(({ name }) => name))
  const meaning = normalizeBehaviour(program, variables)
  if (!lexed || !meaning.ok) return []
  const { tokens, places } = lexed
  const own = readTokens(tokens, scenario, variables).find(({ read }) => {
    const normal = normalizeBehaviour(withBinds(read), variables)
    return normal.ok && normal.text === meaning.text
  })
  return (own?.clauses ?? []).flatMap((clause) => {
    const [first, last] = [places[clause.from], places[clause.to - 1]]
    return first && last ? [{ ...clause, from: first[0], to: last[1] }] : []
  })
}
