/**
 * RESULT: the outputs of a path that nothing refers to, so that no call is silently omitted (section
 * III-D).
 */
import type { ResultEntry } from '@stateeval/contracts'
import { type ScopeBinding, createRef } from '@stateeval/program'
import type { MoveSearch } from './moves.ts'
import { findOperation } from './strategies/strategy.ts'

/**
 * The entries of RESULT for the outputs in scope at the end of a path, oldest first. They include outputs
 * that only the condition reads, because no other call does. If every output is used, the newest is
 * returned anyway: RESULT is never empty.
 */
export function gatherResult<W>(search: MoveSearch<W>, bindings: readonly ScopeBinding[]): ResultEntry[] {
  const outputs = bindings.filter(({ api }) => api !== undefined && findOperation(search, api).gathers)
  const unused = outputs.filter(({ used }) => !used)
  const resultBindings = unused.length ? unused : outputs.slice(-1)
  const form = (binding: ScopeBinding) =>
    findOperation(search, binding.api as string).gathers as { key: string; path: (string | number)[] }
  const keys = resultBindings.map((binding) => form(binding).key)
  return resultBindings.map((binding, index) => {
    const key = keys[index] as string
    const number = keys.slice(0, index + 1).filter((other) => other === key).length
    const several = keys.filter((other) => other === key).length > 1
    return { key: several ? `${key}_${number}` : key, value: createRef(binding.name, ...form(binding).path) }
  })
}
