/**
 * Combines the commands into a program that parses arguments, runs a command, and returns its exit code.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { type CommandModule, type ExitCode, Failure } from './command.ts'
import { commands } from './commands/index.ts'
import { applyDefaults } from './configuration/defaults.ts'
import type { ConfigurationFile } from './configuration/file.ts'
import { checkout } from './local/home.ts'
import { replaceFields, findOption } from './option-of.ts'
import { replaceRequests } from './suite/in-commands.ts'
import { createTerminal, makeHarmless, type TerminalStreams } from './terminal.ts'

/** Commands that work without the configuration file, however broken it is. */
const needsNoConfiguration: readonly string[] = ['init', 'completion']

/**
 * @param configure reads the configuration file; by default there is none
 * @returns a function from arguments (without node and script) to the exit code; it never throws
 */
export function createProgram(
  streams: TerminalStreams,
  signal: AbortSignal,
  modules: readonly CommandModule<object>[] = commands,
  configure: () => Promise<ConfigurationFile | null> = () => Promise.resolve(null),
) {
  return async (args: string[]): Promise<ExitCode> => {
    let exitCode: ExitCode = 0
    let running: Command | undefined
    const program = new Command('stateeval').description(
      'Measures how well language models write programs that call APIs in sequence',
    )
    program.version(formatVersion(), '-V, --version', 'print the version')
    program.exitOverride().showHelpAfterError('(see --help)')
    program.configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => streams.stderr.write(text),
    })
    for (const module of modules) {
      const command = program.command(module.name).description(module.describe).copyInheritedSettings(program)
      module.configure?.(command)
      command.option('--json', 'print the result as JSON')
      command.addHelpText('after', `\nExample:\n${module.example.replaceAll(/^/gm, '  ')}`)
      // Checked below: commander would miss the required option before it names the misspelled one.
      const required = command.options.filter(({ mandatory }) => mandatory)
      for (const option of required) option.makeOptionMandatory(false)
      command.action(async () => {
        running = command
        const missing = required.find(
          (option) => command.getOptionValue(option.attributeName()) === undefined,
        )
        if (missing) command.error(`error: required option '${missing.flags}' not specified`)
        const options = command.opts<{ json?: boolean }>()
        const terminal = createTerminal(options.json === true, streams)
        exitCode = await module.run({ options, args: command.args, terminal, signal })
      })
    }
    const names = program.commands.map((command) => command.name())
    program.hook('preSubcommand', async (_, command) => {
      const isHelp = args.includes('--help') || args.includes('-h')
      if (isHelp || needsNoConfiguration.includes(command.name())) return
      const configuration = await configure()
      if (configuration) applyDefaults(command, configuration, names)
    })
    try {
      await program.parseAsync(args, { from: 'user' })
      return exitCode
    } catch (error) {
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2 // commander has printed it
      if (error instanceof Failure) {
        streams.stderr.write(`stateeval: ${makeHarmless(explainFailure(error, running))}\n`)
        return error.exitCode
      }
      // Requests that Ctrl-C cut short; what watches work says more.
      if (signal.aborted && error instanceof Error && error.name === 'AbortError') {
        streams.stderr.write('stateeval: Interrupted. Run the command again to repeat it.\n')
        return 2
      }
      const detail = process.env.STATEEVAL_DEBUG && error instanceof Error ? error.stack : undefined
      const message = error instanceof Error ? error.message : String(error)
      streams.stderr.write(
        `stateeval: ${makeHarmless(detail ?? `${message} (unexpected; STATEEVAL_DEBUG=1 shows where)`)}\n`,
      )
      return 2
    }
  }
}

/** A failure in the words of whoever typed the command: commands for requests, options for fields. */
function explainFailure({ message, field }: Failure, command: Command | undefined): string {
  const text = command ? replaceFields(replaceRequests(message), command) : replaceRequests(message)
  const option = field === undefined || !command ? null : findOption(field, command)
  if (field === undefined) return text
  // A parameter of a path or a query has no slash.
  const dotted = field.replace(/^\//, '').replaceAll('/', '.')
  if (option === null) return text.startsWith(`${field} `) ? dotted + text.slice(field.length) : text
  const withOption = text.startsWith(field)
    ? option + text.slice(field.length)
    : dotted.includes('.')
      ? text.replaceAll(dotted, option)
      : text
  // A remedy that names an option says enough, but not one in a command to copy.
  const prose = withOption.replaceAll(/`[^`]*`/g, '')
  const namesOption =
    prose.includes(option) || command!.options.some(({ long }) => long && hasOptionName(prose, long))
  return namesOption ? withOption : `${withOption} (${option})`
}

const hasOptionName = (text: string, option: string) =>
  new RegExp(`(?<![\\w-])${option}(?![\\w-])`).test(text)

const formatVersion = () => {
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string }
  return `stateeval ${version} (Node ${process.versions.node})`
}
