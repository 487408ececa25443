/**
 * A program up to its local names, for comparison with a reading. Outputs are named by their position on
 * their path, so neither their names nor unused names matter.
 */
import {
  type StepBlock,
  type Call,
  type Condition,
  type Expr,
  type VariableReference,
  type ResultEntry,
  type ProgramStep,
  canonicalJson,
} from '@stateeval/contracts'
import { getRootBlock, isCall, type ProgramParts } from '@stateeval/program'
import { formatOutputName } from './call-clause.ts'
import { simplifyExpr } from './filler.ts'

type NormalForm = { ok: true; text: string } | { ok: false; reason: string }

/** The canonical text of a program's behaviour; or why it has none. */
export function normalizeBehaviour(program: ProgramParts, variables: ReadonlySet<string>): NormalForm {
  try {
    return { ok: true, text: canonicalJson(new PathNames(variables).block(getRootBlock(program))) }
  } catch (error) {
    if (error instanceof UnknownValueError) return { ok: false, reason: error.message }
    throw error
  }
}

class UnknownValueError extends Error {}

/** The names along one path. */
class PathNames {
  private readonly variables: ReadonlySet<string>
  private readonly outputs: Map<string, string>
  private calls: number
  constructor(variables: ReadonlySet<string>, outputs = new Map<string, string>(), calls = 0) {
    this.variables = variables
    this.outputs = outputs
    this.calls = calls
  }
  fork() {
    return new PathNames(this.variables, new Map(this.outputs), this.calls)
  }
  block({ steps, result, branch }: StepBlock): unknown {
    const named = steps.map((step) => this.step(step))
    if (!branch) return { steps: named, result: this.result(result) }
    const { condition, then, otherwise } = branch
    return {
      steps: named,
      branch: {
        condition: this.condition(condition),
        then: this.fork().block(then),
        otherwise: this.fork().block(otherwise),
      },
    }
  }
  step(step: ProgramStep) {
    if (!isCall(step))
      return { kind: 'edit', target: this.reference(step.target), value: this.expr(step.value) }
    const { binds, args, ...rest }: Call = step
    const call = {
      ...rest,
      args: Object.fromEntries(Object.entries(args).map(([name, expr]) => [name, this.expr(expr)])),
    }
    if (binds !== undefined) {
      if (this.variables.has(binds) || this.outputs.has(binds))
        throw new UnknownValueError(
          `${binds} is bound twice on one path, so no sentence can tell which is meant`,
        )
      this.outputs.set(binds, formatOutputName(this.calls))
    }
    this.calls++
    return call
  }
  result(entries: readonly ResultEntry[]) {
    return entries.map(({ key, value }) => ({ key, value: this.reference(value) }))
  }
  condition({ variable, path, measure, equals }: Condition) {
    return { variable: this.name(variable), path, measure, equals: this.name(equals) }
  }
  private expr(original: Expr): unknown {
    const expr = simplifyExpr(original)
    switch (expr.kind) {
      case 'reference':
        return this.reference(expr)
      case 'literal':
        return expr
      case 'list':
        return { kind: 'list', items: expr.items.map((item) => this.expr(item)) }
      case 'object':
        return {
          kind: 'object',
          entries: Object.fromEntries(
            Object.entries(expr.entries).map(([key, item]) => [key, this.expr(item)]),
          ),
        }
    }
  }
  private reference({ variable, path }: VariableReference) {
    return { kind: 'reference', variable: this.name(variable), path }
  }
  private name(variable: string) {
    const name = this.variables.has(variable) ? variable : this.outputs.get(variable)
    if (name === undefined) throw new UnknownValueError(`${variable} is used before anything is bound to it`)
    return name
  }
}
