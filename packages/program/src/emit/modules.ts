/**
 * Modules that a program's calls need: the language's HTTP module, and the first part of qualified names.
 */
import type { ProgramStep } from '@stateeval/contracts'
import { isCall } from '../expr.ts'

export function listModules(steps: readonly ProgramStep[], forHttp: string): string[] {
  const modules = steps.flatMap((step) => {
    if (!isCall(step)) return []
    if (step.kind === 'http') return [forHttp]
    return step.kind === 'function' && step.name.includes('.')
      ? [step.name.slice(0, step.name.indexOf('.'))]
      : []
  })
  return [...new Set(modules)].sort()
}
