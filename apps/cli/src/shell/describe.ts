/** The commands with their options as data, for shell completion and for the configuration file. */
import { Command, type Option } from 'commander'
import type { CommandModule } from '../command.ts'

/** The kind of a value: one of a list, a path, or anything. */
type OptionValue = { kind: 'choice'; choices: readonly string[] } | { kind: 'path' } | { kind: 'text' }

export interface DescribedOption {
  /** `--seed`, and `-h` where there is one. */
  flags: string[]
  /** The name that commander uses: maxRegression. */
  name: string
  describe: string
  /** Null: a flag without a value. */
  value: OptionValue | null
  isNegated: boolean
  default: unknown
  option: Option
}
export interface DescribedCommand {
  name: string
  describe: string
  /** The first positional argument; null where there is none. */
  argument: OptionValue | null
  options: DescribedOption[]
}

export const describeCommands = (modules: readonly CommandModule<object>[]): DescribedCommand[] =>
  modules.map((module) => {
    const [name, first] = module.name.split(' ') as [string, string?]
    const command = new Command(name)
    module.configure?.(command)
    command.option('--json', 'print the result as JSON').option('-h, --help', 'display help for command')
    return {
      name,
      describe: module.describe,
      argument:
        first === undefined
          ? null
          : module.choices
            ? defineChoice(module.choices)
            : describeOptionValue(first, undefined),
      options: command.options.map((option) => ({
        flags: [option.long, option.short].filter((flag) => flag !== undefined),
        name: option.attributeName(),
        describe: option.description,
        value:
          option.required || option.optional
            ? option.argChoices
              ? defineChoice(option.argChoices)
              : describeOptionValue(option.flags, option.long)
            : null,
        isNegated: option.negate,
        default: option.defaultValue as unknown,
        option,
      })),
    }
  })

const defineChoice = (choices: readonly string[]): OptionValue => ({ kind: 'choice', choices })

/** Files and folders are named so where an option or an argument takes one. */
const describeOptionValue = (notation: string, flag: string | undefined): OptionValue =>
  /[<|](?:file|folder|path|dir)\b/i.test(notation) || flag === '--out' ? { kind: 'path' } : { kind: 'text' }
