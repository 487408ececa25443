/** The prompts that models are asked with, as files: those beside the service, or a person's own in the folder that a setting names. */
import { benchmarks } from '@stateeval/benchmarks'
import { type BenchmarkHost, faultOfPromptSlots, type PromptSlots } from '@stateeval/program'
import { readPromptFiles } from '@stateeval/service-kit'

const own = new URL('../prompts/', import.meta.url)
const nowhere: BenchmarkHost = {
  scenario: (id) => {
    throw new Error(`there is no scenario ${id} before the start`)
  },
}

/** Those that tasks are written with. Throws a SettingsError that names the file and what is wrong with it. */
export function readPrompts(folder: string | undefined): Readonly<Record<string, string>> {
  const slots: Record<string, PromptSlots> = {}
  for (const make of benchmarks) Object.assign(slots, make(nowhere).writing?.prompts)
  const faultOf = (name: string, text: string) => faultOfPromptSlots(slots[name]!, text)
  return readPromptFiles({ folder: own, names: Object.keys(slots), faultOf }, folder)
}

/** The prompt that second opinions are asked with. Throws a SettingsError as the others do. */
export function readOpinionPrompt(folder: string | undefined): string {
  const all = benchmarks.flatMap((make) => make(nowhere).opinions?.slots ?? [])
  const faultOf = (_: string, text: string) =>
    all.map((slots) => faultOfPromptSlots(slots, text)).find((fault) => fault !== null) ?? null
  const files = { folder: own, names: ['second-opinion'], faultOf } as const
  return readPromptFiles<'second-opinion'>(files, folder)['second-opinion']
}
