/** The agents' prompts as files: those beside the service, or a person's own in the folder that a setting names. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from '@stateeval/service-kit'
import { type AgentPrompts, faultOfPrompt, promptNames } from '@stateeval/translate'

const own = join(import.meta.dirname, '../../prompts')

/** Read once, at the start. Throws a SettingsError that names the file and what is wrong with it. */
export function readPrompts(folder: string | undefined): AgentPrompts {
  if (folder !== undefined && !existsSync(folder)) throw new SettingsError([`STATEEVAL_PROMPTS=${folder}: there is no such folder`])
  const entries = promptNames.map((name) => {
    const replaced = folder === undefined ? undefined : join(folder, `${name}.md`)
    const file = replaced !== undefined && existsSync(replaced) ? replaced : join(own, `${name}.md`)
    const text = readFileSync(file, 'utf8')
    const fault = faultOfPrompt(name, text)
    if (fault !== null) throw new SettingsError([`STATEEVAL_PROMPTS: ${file} ${fault}`])
    return [name, text] as const
  })
  return Object.fromEntries(entries) as Record<(typeof promptNames)[number], string>
}
