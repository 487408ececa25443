/** The rules for a program beyond its schema; every message names the field. */
import { type StepBlock, type Expr, Program, findSchemaFault, type ProgramStep } from '@stateeval/contracts'
import {
  type BlockName,
  branchSides,
  getRootBlock,
  isNested,
  listBlocks,
  listIfs,
  nameBranch,
} from './blocks.ts'
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

/** Where a block stands in the program's JSON. */
const locateBlock = (block: BlockName): string =>
  block === 'body'
    ? ''
    : block
        .split('/')
        .map((side) => `/branch/${side}`)
        .join('')
const locateSteps = (block: BlockName) => (block === 'body' ? '/body' : `${locateBlock(block)}/steps`)

function checkForm(program: Program): string[] {
  const { branch, result, schema, variables } = program
  return [
    ...(branch && result
      ? ['/result: a program with a branch must have a result in each block, and no separate one']
      : []),
    ...(!branch && !result ? ['/result: a program without a branch needs one'] : []),
    ...(schema === 1 && isNested(program)
      ? ['/schema: a program with an if/else in a branch must have schema 2']
      : []),
    ...listBlocks(program).flatMap(([block, one]) =>
      block !== 'body' && one.branch && one.result.length > 0
        ? [`${locateBlock(block)}/result: a block that ends in an if/else must have an empty result`]
        : [],
    ),
    ...listRepeated(listIfs(program).map(({ branch: { condition } }) => condition.equals)).map(
      (name) => `/branch: ${name} is compared by two conditions; each needs its own placeholder`,
    ),
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
    ...listBlocks(program).flatMap(([block, { result: entries }]) =>
      listRepeated(entries.map(({ key }) => key)).map(
        (key) => `${locateBlock(block)}/result: the key ${key} stands twice`,
      ),
    ),
  ]
}

function listRepeated(all: readonly string[]): string[] {
  const seen = new Set<string>()
  return [...new Set(all.filter((name) => seen.has(name) || !seen.add(name)))]
}

/** Every name is bound once in the whole program, and bound before it is used on the path that uses it. */
function checkNames(program: Program): string[] {
  const { variables } = program
  const problems: string[] = []
  const boundNames = new Set<string>()
  const bind = (name: string, where: string) => {
    if (boundNames.has(name)) problems.push(`${where}: the name ${name} is bound twice`)
    boundNames.add(name)
  }
  const need = (scope: ReadonlySet<string>, name: string, where: string) => {
    if (!scope.has(name)) problems.push(`${where}: no variable is named ${name} here`)
  }
  variables.forEach(({ name }, at) => bind(name, `/variables/${at}/name`))
  const check = ({ steps, result, branch }: StepBlock, name: BlockName, scope: ReadonlySet<string>) => {
    const knownNames = new Set(scope)
    const where = locateSteps(name)
    steps.forEach((step, at) => {
      for (const { variable } of listReferences(step)) need(knownNames, variable, `${where}/${at}`)
      if (!isCall(step) || !step.binds) return
      bind(step.binds, `${where}/${at}/binds`)
      knownNames.add(step.binds)
    })
    result.forEach(({ value }, at) =>
      need(knownNames, value.variable, `${locateBlock(name)}/result/${at}/value`),
    )
    if (!branch) return
    need(knownNames, branch.condition.variable, `${locateBlock(name)}/branch/condition/variable`)
    need(knownNames, branch.condition.equals, `${locateBlock(name)}/branch/condition/equals`)
    for (const side of branchSides) check(branch[side], nameBranch(name, side), knownNames)
  }
  check(getRootBlock(program), 'body', new Set(variables.map(({ name }) => name)))
  return problems
}

const listNamedSteps = (program: Program): [steps: readonly ProgramStep[], where: string][] =>
  listBlocks(program).map(([name, { steps }]) => [steps, locateSteps(name)])

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
