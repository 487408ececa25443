/** Values of a command's options from the configuration file. */
import { type Command, InvalidArgumentError, type Option } from 'commander'
import { isRecord } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import type { ConfigurationFile } from './file.ts'

/**
 * Applies a command's section before its own arguments are parsed. The values pass the same checks as on
 * the command line.
 * @param names of all commands
 * @throws Failure with the place in the file, if an option is unknown or its value is invalid
 */
export function applyDefaults(
  command: Command,
  { path, commands }: ConfigurationFile,
  names: readonly string[],
): void {
  for (const name of Object.keys(commands))
    if (!names.includes(name))
      throw new Failure(`${path}: there is no command '${name}'. List the commands with stateeval --help.`)
  const section = commands[command.name()]
  if (section === undefined) return
  for (const [name, value] of Object.entries(section)) {
    const place = `${path}: commands.${command.name()}.${name}`
    const option = command.options.find(({ long }) => long === `--${name}` || long === `--no-${name}`)
    if (option === undefined)
      throw new Failure(
        `${place} is not an option of the command. Options: stateeval ${command.name()} --help.`,
      )
    command.setOptionValueWithSource(option.attributeName(), parseOptionValue(option, value, place), 'config')
  }
}

function parseOptionValue(option: Option, value: unknown, place: string): unknown {
  if (!option.required && !option.optional) {
    if (typeof value !== 'boolean') throw new Failure(`${place} must be true or false.`)
    return value
  }
  const text = formatOptionValue(value)
  if (text === null) throw new Failure(`${place} must be a string, a number, a list or an object.`)
  try {
    return option.parseArg ? option.parseArg(text, undefined) : text
  } catch (error) {
    if (error instanceof InvalidArgumentError || error instanceof Failure)
      throw new Failure(`${place}: ${error.message}`)
    throw error
  }
}

/** Formats a value as typed on the command line: lists with commas, members as name=value. */
function formatOptionValue(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map(String).join(',')
  if (isRecord(value))
    return Object.entries(value)
      .map(([name, one]) => `${name}=${String(one)}`)
      .join(',')
  return null
}
