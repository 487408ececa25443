/** The prompts that tasks are written with, as files: those beside the service, or a person's own in the folder that a setting names. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchmarks } from '@stateeval/benchmarks'
import { type BenchmarkHost, faultOfPromptSlots, type PromptSlots } from '@stateeval/program'
import { SettingsError } from '@stateeval/service-kit'

const own = join(import.meta.dirname, '../prompts')
const nowhere: BenchmarkHost = {
  scenario: (id) => {
    throw new Error(`there is no scenario ${id} before the start`)
  },
}

/** Read once, at the start. Throws a SettingsError that names the file and what is wrong with it. */
export function readPrompts(folder: string | undefined): Readonly<Record<string, string>> {
  if (folder !== undefined && !existsSync(folder)) throw new SettingsError([`STATEEVAL_PROMPTS=${folder}: there is no such folder`])
  const slots: Record<string, PromptSlots> = {}
  for (const make of benchmarks) Object.assign(slots, make(nowhere).writing?.prompts)
  return Object.fromEntries(
    Object.entries(slots).map(([name, wanted]) => {
      const replaced = folder === undefined ? undefined : join(folder, `${name}.md`)
      const file = replaced !== undefined && existsSync(replaced) ? replaced : join(own, `${name}.md`)
      const text = readFileSync(file, 'utf8')
      const fault = faultOfPromptSlots(wanted, text)
      if (fault !== null) throw new SettingsError([`STATEEVAL_PROMPTS: ${file} ${fault}`])
      return [name, text] as const
    }),
  )
}
