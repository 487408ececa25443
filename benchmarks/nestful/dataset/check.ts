/**
 * Finds places where a sample contradicts itself or its specification: checks every reference, label,
 * argument and output parameter.
 */
import { parseListedArguments, withoutSpecification } from '../case.ts'
import { type PyDict, isDict, type PyValue, formatPyStr } from '../python/value.ts'
import { readWhole } from '../python/read.ts'
import { type LabelReference, listArgumentReferences, stripDollars } from '../references.ts'
import type { ApiSpecification } from './library.ts'
import type { NestfulSample } from './sample.ts'

/** A use of an output parameter that the specification does not have. */
interface UndeclaredOutput {
  api: string
  path: string
}

export interface CheckFindings {
  faults: string[]
  undeclared: UndeclaredOutput[]
}

export function checkSample(
  sample: Pick<NestfulSample, 'calls' | 'result' | 'faults'>,
  apis: ReadonlyMap<string, ApiSpecification>,
): CheckFindings {
  const findings: CheckFindings = { faults: [...sample.faults], undeclared: [] }
  const producers = new Map<string, ApiSpecification | null>()
  const labels = new Set(sample.calls.map(({ label }) => stripDollars(label)))
  const check = (where: string, args: PyDict) => {
    checkReferences(where, args, { producers, labels }, findings)
    checkDollars(where, args, labels, findings)
  }
  sample.calls.forEach((call, at) => {
    const where = `call ${at + 1} (${call.name})`
    const api = apis.get(call.name)
    const args = parseListedArguments(call)
    if (api) checkArguments(where, args, api, findings)
    else findings.faults.push(`${where}: ${withoutSpecification} ${call.name}`)
    check(where, args)
    const label = stripDollars(call.label)
    if (label === '') return
    if (producers.has(label)) findings.faults.push(`${where}: the label ${label} is used twice`)
    producers.set(label, api ?? null)
  })
  if (sample.result !== undefined) check('var_result', readWhole(sample.result) as PyDict)
  return findings
}

function checkArguments(
  where: string,
  args: PyDict,
  { parameters }: ApiSpecification,
  { faults }: CheckFindings,
) {
  for (const [key, value] of args) {
    const name = formatPyStr(key)
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (!parameter) faults.push(`${where}: ${name} is not a parameter`)
    else if (parameter.allowed && !isReference(value) && !parameter.allowed.includes(formatPyStr(value)))
      faults.push(
        `${where}: ${name} is ${formatPyStr(value).slice(0, 100)}, which is not among its allowed values`,
      )
  }
  for (const [name, { required }] of Object.entries(parameters))
    if (required && !args.has(name)) faults.push(`${where}: the required parameter ${name} is missing`)
}
const isReference = (value: PyValue) => typeof value === 'string' && value.startsWith('$')

interface KnownResult {
  /**
   * The API that produced each label's result, up to the current call; null where that API has no
   * specification.
   */
  producers: ReadonlyMap<string, ApiSpecification | null>
  labels: ReadonlySet<string>
}

function checkReferences(
  where: string,
  args: PyDict,
  { producers, labels }: KnownResult,
  findings: CheckFindings,
) {
  for (const { text, reference } of listArgumentReferences(args, (label) => labels.has(label))) {
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
const isDeclared = ({ path }: LabelReference, { outputs }: ApiSpecification) => {
  const first = path.split(/[.[]/)[0] ?? ''
  return Object.hasOwn(outputs, path) || Object.hasOwn(outputs, first)
}

/** Dollar signs that belong to no reference: prices, or a reference that lacks one. */
function checkDollars(where: string, value: PyValue, labels: ReadonlySet<string>, { faults }: CheckFindings) {
  const texts = listPyTexts(value)
  for (const text of texts) {
    const broken = /^var_?\d+[.[][^$]*\$$/.test(text)
    if (broken) faults.push(`${where}: ${text.slice(0, 100)} lacks the dollar sign of a reference`)
    else if (/\$\d/.test(text) && ![...labels].some((label) => text.includes(`$${label}`)))
      faults.push(`${where}: ${text.slice(0, 100)} has dollar signs and is not a reference`)
  }
}
function listPyTexts(value: PyValue): string[] {
  if (typeof value === 'string') return value.includes('$') ? [value] : []
  if (Array.isArray(value)) return value.flatMap(listPyTexts)
  return isDict(value) ? [...value.values()].flatMap(listPyTexts) : []
}
