/** Prompts as files: those beside a service, or a person's own in the folder that STATEEVAL_PROMPTS names. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from './settings.ts'

/**
 * `own` is the service's folder; `faultOf` tells what is wrong with a text, as the end of a sentence. Read once, at the start.
 * Throws a SettingsError that names the file and what is wrong with it.
 */
export function readPromptFiles<Name extends string>(
  own: string,
  folder: string | undefined,
  names: readonly Name[],
  faultOf: (name: Name, text: string) => string | null,
): Readonly<Record<Name, string>> {
  if (folder !== undefined && !existsSync(folder))
    throw new SettingsError([`STATEEVAL_PROMPTS=${folder}: there is no such folder`])
  const entries = names.map((name) => {
    const replaced = folder === undefined ? undefined : join(folder, `${name}.md`)
    const file = replaced !== undefined && existsSync(replaced) ? replaced : join(own, `${name}.md`)
    const text = readFileSync(file, 'utf8')
    const fault = faultOf(name, text)
    if (fault !== null) throw new SettingsError([`STATEEVAL_PROMPTS: ${file} ${fault}`])
    return [name, text] as const
  })
  return Object.fromEntries(entries) as Record<Name, string>
}
