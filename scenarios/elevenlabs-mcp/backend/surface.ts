/**
 * The tools as functions of the candidate's language: text of modules that run inside the jail, before its
 * code. Their signatures come from the table of tools. They decide nothing: what a call means and whether it
 * is accepted, the host says.
 */
import type { ProgramSurface } from '@stateeval/sandbox'
import { toolNames, tools } from '../tools.ts'

const signatures = toolNames.map(
  (name) => [name, tools[name].parameters.map((parameter) => parameter.name)] as const,
)

/**
 * `f({ text, voice_name })`, `f(text, voice_name)`, or both: what comes by position first, then an object of
 * the others.
 */
const javascript = `'use strict'
const signatures = ${JSON.stringify(Object.fromEntries(signatures))}
const { keys, hasOwn, getPrototypeOf } = Object
const { isArray } = Array
const isPlain = (value) => {
  if (value === null || typeof value !== 'object' || isArray(value)) return false
  const prototype = getPrototypeOf(value)
  return prototype === null || hasOwn(prototype, 'hasOwnProperty')
}
// A speech is an object too, but one that says what it is.
const isNamed = (value) => isPlain(value) && !hasOwn(value, 'modality')
const fail = (message) => {
  const error = new Error(message)
  error.name = 'ToolError'
  throw error
}
const argumentsOf = (name, parameters, given) => {
  const args = {}
  for (let index = 0; index < given.length; index++) {
    const value = given[index]
    if (index === given.length - 1 && isNamed(value)) {
      const names = keys(value)
      for (let at = 0; at < names.length; at++) {
        if (hasOwn(args, names[at])) fail(name + ' got ' + names[at] + ' twice')
        if (value[names[at]] !== undefined) args[names[at]] = value[names[at]]
      }
    } else if (index >= parameters.length) fail(name + ' takes at most ' + parameters.length + ' arguments')
    else if (value !== undefined) args[parameters[index]] = value
  }
  return args
}
exports.surface = (host) => {
  const globals = {}
  const names = keys(signatures)
  for (let at = 0; at < names.length; at++) {
    const name = names[at]
    globals[name] = async (...given) => host.call(name, argumentsOf(name, signatures[name], given))
  }
  return { globals }
}
`

/** Plain functions: unknown and missing arguments are Python's own TypeErrors, as with any function. */
const python = `class ToolError(Exception):
    pass


def surface(host):
    call = host.call
${signatures
  .map(([name, parameters]) => {
    const optional = new Set(
      tools[name].parameters.filter(({ required }) => !required).map((parameter) => parameter.name),
    )
    const signature = parameters
      .map((parameter) => (optional.has(parameter) ? `${parameter}=None` : parameter))
      .join(', ')
    const fields = parameters.map((parameter) => `"${parameter}": ${parameter}`).join(', ')
    return `
    def ${name}(${signature}):
        return call("${name}", {${fields}})
`
  })
  .join('')}
    return {"globals": {${toolNames.map((name) => `"${name}": ${name}`).join(', ')}}}
`

/** One object: what is compiled of it is kept from run to run. */
export const surface: ProgramSurface = { javascript: { source: javascript }, python: { source: python } }
