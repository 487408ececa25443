/**
 * Finds places where a sample contradicts itself or its specification: every reference, label, argument and
 * output parameter is looked at.
 */
import { argumentsOf, withoutSpecification } from '../case.ts'
import { type Dict, isDict, type Py, str } from '../python/value.ts'
import { readWhole } from '../python/read.ts'
import { type Reference, referencesOf, withoutDollars } from '../references.ts'
import type { Api } from './library.ts'
import type { Sample } from './sample.ts'

/** A use of an output parameter that the specification does not have. */
export interface Undeclared {
  api: string
  path: string
}

export interface Findings {
  faults: string[]
  undeclared: Undeclared[]
}

export function checkSample(
  sample: Pick<Sample, 'calls' | 'result' | 'faults'>,
  apis: ReadonlyMap<string, Api>,
): Findings {
  const findings: Findings = { faults: [...sample.faults], undeclared: [] }
  const producers = new Map<string, Api | null>()
  const labels = new Set(sample.calls.map(({ label }) => withoutDollars(label)))
  const check = (where: string, args: Dict) => {
    checkReferences(where, args, { producers, labels }, findings)
    checkDollars(where, args, labels, findings)
  }
  sample.calls.forEach((call, at) => {
    const where = `call ${at + 1} (${call.name})`
    const api = apis.get(call.name)
    const args = argumentsOf(call)
    if (api) checkArguments(where, args, api, findings)
    else findings.faults.push(`${where}: ${withoutSpecification} ${call.name}`)
    check(where, args)
    const label = withoutDollars(call.label)
    if (label === '') return
    if (producers.has(label)) findings.faults.push(`${where}: the label ${label} is used twice`)
    producers.set(label, api ?? null)
  })
  if (sample.result !== undefined) check('var_result', readWhole(sample.result) as Dict)
  return findings
}

function checkArguments(where: string, args: Dict, { parameters }: Api, { faults }: Findings) {
  for (const [key, value] of args) {
    const name = str(key)
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (!parameter) faults.push(`${where}: ${name} is not a parameter`)
    else if (parameter.allowed && !isReference(value) && !parameter.allowed.includes(str(value)))
      faults.push(`${where}: ${name} is ${str(value).slice(0, 100)}, which is not among its allowed values`)
  }
  for (const [name, { required }] of Object.entries(parameters))
    if (required && !args.has(name)) faults.push(`${where}: the required parameter ${name} is missing`)
}
const isReference = (value: Py) => typeof value === 'string' && value.startsWith('$')

interface Known {
  /**
   * The API by label: whose result it is, as far as calls have been made; null where its API has no
   * specification.
   */
  producers: ReadonlyMap<string, Api | null>
  labels: ReadonlySet<string>
}

function checkReferences(where: string, args: Dict, { producers, labels }: Known, findings: Findings) {
  for (const { text, reference } of referencesOf(args, (label) => labels.has(label))) {
    const quote = text.slice(0, 100)
    if (!producers.has(reference.label)) {
      const why = labels.has(reference.label) ? 'which is a later call' : 'which no call has as its label'
      findings.faults.push(`${where}: ${quote} refers to ${reference.label}, ${why}`)
      continue
    }
    const api = producers.get(reference.label)
    if (!api || reference.path === '' || isDeclared(reference, api)) continue
    findings.undeclared.push({ api: api.name, path: reference.path })
    findings.faults.push(`${where}: ${quote} names an output that ${api.name} does not declare`)
  }
}

/** Nested outputs are declared where their beginning is: specifications seldom describe all of them. */
const isDeclared = ({ path }: Reference, { outputs }: Api) => {
  const first = path.split(/[.[]/)[0] ?? ''
  return Object.hasOwn(outputs, path) || Object.hasOwn(outputs, first)
}

/** Dollar signs that belong to no reference: prices, or a reference that lacks one. */
function checkDollars(where: string, value: Py, labels: ReadonlySet<string>, { faults }: Findings) {
  const texts = textsIn(value)
  for (const text of texts) {
    const broken = /^var_?\d+[.[][^$]*\$$/.test(text)
    if (broken) faults.push(`${where}: ${text.slice(0, 100)} lacks the dollar sign of a reference`)
    else if (/\$\d/.test(text) && ![...labels].some((label) => text.includes(`$${label}`)))
      faults.push(`${where}: ${text.slice(0, 100)} has dollar signs and is not a reference`)
  }
}
function textsIn(value: Py): string[] {
  if (typeof value === 'string') return value.includes('$') ? [value] : []
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isDict(value) ? [...value.values()].flatMap(textsIn) : []
}
