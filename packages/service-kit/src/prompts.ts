/** Prompts as files: the built-in ones, or replacements in the folder in STATEEVAL_PROMPTS. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SettingsError } from './settings.ts'

/** Prompts that come with the suite. */
interface PromptFiles<Name extends string> {
  /** Ends in a slash. */
  folder: URL
  names: readonly Name[]
  /** Finds the fault of a text, as the end of a sentence; null where there is none. */
  faultOf: (name: Name, text: string) => string | null
}

/**
 * The prompts; files in `folder` replace built-in ones. They are read once, at the start. Throws a
 * SettingsError that names the file and its fault.
 */
export function readPromptFiles<Name extends string>(
  { folder: ownFolder, names, faultOf }: PromptFiles<Name>,
  folder: string | undefined,
): Readonly<Record<Name, string>> {
  if (folder !== undefined && !existsSync(folder))
    throw new SettingsError([`STATEEVAL_PROMPTS=${folder}: there is no such folder`])
  const entries = names.map((name) => {
    const override = folder === undefined ? undefined : join(folder, `${name}.md`)
    const file =
      override !== undefined && existsSync(override)
        ? override
        : fileURLToPath(new URL(`${name}.md`, ownFolder))
    const text = readFileSync(file, 'utf8')
    const fault = faultOf(name, text)
    if (fault !== null) throw new SettingsError([`STATEEVAL_PROMPTS: ${file} ${fault}`])
    return [name, text] as const
  })
  return Object.fromEntries(entries) as Record<Name, string>
}
