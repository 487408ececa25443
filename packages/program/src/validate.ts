/** The rules for a program beyond its schema; every message names the field. */
import { type StepBlock, type Expr, Program, findSchemaFault, type ProgramStep } from '@stateeval/contracts'
import { isCall, listReferences } from './expr.ts'
import type { Scenario } from './scenario.ts'
import { findTensorFault, isTensorLike } from './tensor/value.ts'

/**
 * All faults of a program, empty if there is none: its form, its names and references and, with a scenario,
 * its APIs.
 */
export function validateProgram(value: unknown, scenario?: Scenario): string[] {
  const fault = findSchemaFault(Program, value)
  if (fault) return [`${fault.field || '/'}: ${fault.says}`]
  const program = value as Program
  return [
    ...checkForm(program),
    ...checkNames(program),
    ...checkPaths(program),
    ...(scenario ? checkApis(program, scenario) : []),
  ]
}

function checkForm({ branch, result, variables }: Program): string[] {
  return [
    ...(branch && result
      ? ['/result: a program with a branch must have a result in each block, and no separate one']
      : []),
    ...(!branch && !result ? ['/result: a program without a branch needs one'] : []),
    ...variables.flatMap(({ role, values }, at) =>
      (role === 'placeholder') === (values.length === 2)
        ? []
        : [`/variables/${at}/values: a ${role} variable has ${role === 'placeholder' ? 2 : 1}`],
    ),
    ...variables.flatMap(({ values }, at) =>
      values.flatMap((value, n) => {
        const fault = isTensorLike(value) ? findTensorFault(value, { finite: true }) : null
        return fault === null ? [] : [`/variables/${at}/values/${n}: ${fault}`]
      }),
    ),
    ...[
      ...(result ? [['/result', result] as const] : []),
      ...(branch
        ? ([
            ['/branch/then/result', branch.then.result],
            ['/branch/otherwise/result', branch.otherwise.result],
          ] as const)
        : []),
    ].flatMap(([where, entries]) =>
      listRepeated(entries.map(({ key }) => key)).map((key) => `${where}: the key ${key} stands twice`),
    ),
  ]
}

function listRepeated(all: readonly string[]): string[] {
  const seen = new Set<string>()
  return [...new Set(all.filter((name) => seen.has(name) || !seen.add(name)))]
}

/** Every name is bound once in the whole program, and bound before it is used on the path that uses it. */
function checkNames({ variables, body, result, branch }: Program): string[] {
  const problems: string[] = []
  const boundNames = new Set<string>()
  const bind = (name: string, where: string) => {
    if (boundNames.has(name)) problems.push(`${where}: the name ${name} is bound twice`)
    boundNames.add(name)
  }
  const need = (scope: ReadonlySet<string>, name: string, where: string) => {
    if (!scope.has(name)) problems.push(`${where}: no variable is named ${name} here`)
  }
  const scope = new Set<string>()
  variables.forEach(({ name }, at) => {
    bind(name, `/variables/${at}/name`)
    scope.add(name)
  })
  const steps = (all: readonly ProgramStep[], where: string, knownNames: Set<string>) =>
    all.forEach((step, at) => {
      for (const { variable } of listReferences(step)) need(knownNames, variable, `${where}/${at}`)
      if (!isCall(step) || !step.binds) return
      bind(step.binds, `${where}/${at}/binds`)
      knownNames.add(step.binds)
    })
  const results = (entries: StepBlock['result'], where: string, knownNames: ReadonlySet<string>) =>
    entries.forEach(({ value }, at) => need(knownNames, value.variable, `${where}/${at}/value`))
  steps(body, '/body', scope)
  results(result ?? [], '/result', scope)
  if (branch) {
    need(scope, branch.condition.variable, '/branch/condition/variable')
    need(scope, branch.condition.equals, '/branch/condition/equals')
    for (const side of ['then', 'otherwise'] as const) {
      const knownNames = new Set(scope)
      steps(branch[side].steps, `/branch/${side}/steps`, knownNames)
      results(branch[side].result, `/branch/${side}/result`, knownNames)
    }
  }
  return problems
}

const listNamedSteps = ({ body, branch }: Program): [steps: readonly ProgramStep[], where: string][] => [
  [body, '/body'],
  [branch?.then.steps ?? [], '/branch/then/steps'],
  [branch?.otherwise.steps ?? [], '/branch/otherwise/steps'],
]

/**
 * Checks text between braces in a path, a query or the body: it names an argument, which in a path is a text
 * that a URL can hold.
 */
function checkPaths(program: Program): string[] {
  return listNamedSteps(program).flatMap(([steps, where]) =>
    steps.flatMap((step, at) => {
      if (!isCall(step) || step.kind !== 'http') return []
      const inPath = [...step.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
      const missing = [
        ...inPath,
        ...(step.query ?? []),
        ...(step.body === undefined ? [] : [step.body]),
      ].find((name) => !Object.hasOwn(step.args, name))
      if (missing !== undefined)
        return [`${where}/${at}/args: there is no ${missing}, which the request needs`]
      const odd = inPath.find((name) => !isPathValue(step.args[name] as Expr))
      return odd === undefined
        ? []
        : [`${where}/${at}/args/${odd}: a part of a path must be a well-formed string, a number or a boolean`]
    }),
  )
}
const isPathValue = (expr: Expr) =>
  expr.kind === 'reference' ||
  (expr.kind === 'literal' && typeof expr.value !== 'object' && String(expr.value).isWellFormed())

function checkApis(program: Program, scenario: Scenario): string[] {
  const apiIds = scenario.operations.map((operation) => operation.id)
  const unknown = (steps: readonly ProgramStep[], where: string) =>
    steps.flatMap((step, at) =>
      isCall(step) && !apiIds.includes(step.api)
        ? [`${where}/${at}/api: ${scenario.id} has no API ${step.api}; it has ${apiIds.join(', ')}`]
        : [],
    )
  return [
    ...(program.scenario === scenario.id
      ? []
      : [`/scenario: the program is of ${program.scenario}, not of ${scenario.id}`]),
    ...listNamedSteps(program).flatMap(([steps, where]) => unknown(steps, where)),
  ]
}
