/** Every command, in the order in which --help lists them. A new command is a file here and a line below. */
import { down } from './down.ts'
import { serve } from './serve.ts'
import { status } from './status.ts'
import { up } from './up.ts'

export const commands = [up, down, status, serve] as const
