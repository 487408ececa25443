/** A command of the command line: one file in commands/, one line in commands/index.ts. */
import type { Command } from 'commander'
import type { CommandTerminal } from './terminal.ts'

/**
 * 0: done. 1: a gate failed (for example a score that is too low, or a service that is down). 2: wrong
 * usage or infrastructure.
 */
export type ExitCode = 0 | 1 | 2

/** The arguments of `run`: commander's parsed options and arguments, and the terminal. */
export interface CommandInvocation<Options> {
  options: Options
  args: string[]
  terminal: CommandTerminal
  signal: AbortSignal
}

export interface CommandModule<Options> {
  /** The name with its positional arguments in commander's notation: `report <evaluation>`. */
  name: string
  /** Values of the first positional argument, where that is a list; for completion. */
  choices?: readonly string[]
  describe: string
  /** One or more lines that work when pasted; shown by --help. */
  example: string
  /** Adds options; --json is there already. */
  configure?: (command: Command) => void
  run(this: void, invocation: CommandInvocation<Options>): Promise<ExitCode>
}

/**
 * Erases the type of a command's options, which only commander fills, so that one list can hold all
 * commands.
 */
export const defineCommand = <Options extends object>(
  module: CommandModule<Options>,
): CommandModule<object> => module

/**
 * A failure that the user can act on: what happened, and the remedy. Requests in it are printed as
 * commands.
 */
export class Failure extends Error {
  readonly exitCode: ExitCode
  /**
   * The field of a request that a service found at fault, as a JSON pointer; printed as the option that fills
   * it.
   */
  readonly field: string | undefined
  constructor(message: string, exitCode: ExitCode = 2, field?: string) {
    super(message)
    this.name = 'Failure'
    this.exitCode = exitCode
    this.field = field
  }
}
