/** The prompts that models are asked with, as files: those of the benchmarks' folders, or a person's own in the folder that a setting names. */
import { benchmarks } from '@stateeval/benchmarks'
import { type BenchmarkHost, faultOfPromptSlots, type PromptFile } from '@stateeval/program'
import { readPromptFiles } from '@stateeval/service-kit'

const nowhere: BenchmarkHost = {
  scenario: (id) => {
    throw new Error(`there is no scenario ${id} before the start`)
  },
}

function readPrompt(name: string, prompt: PromptFile, replaced: string | undefined): string {
  const faultOf = (_: string, text: string) => faultOfPromptSlots(prompt, text)
  return readPromptFiles({ folder: prompt.folder, names: [name], faultOf }, replaced)[name]!
}

/**
 * Those that tasks are written with, by kind of benchmark and name. Throws a SettingsError that names the file and what is
 * wrong with it.
 */
export function readPrompts(
  folder: string | undefined,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const kinds = benchmarks.map((make) => {
    const { id, writing } = make(nowhere)
    const prompts = Object.entries(writing?.prompts ?? {})
    const texts = prompts.map(([name, prompt]) => [name, readPrompt(name, prompt, folder)] as const)
    return [id, Object.fromEntries(texts)] as const
  })
  return Object.fromEntries(kinds)
}

/** The prompts that second opinions are asked with, by kind of benchmark. Throws a SettingsError as the others do. */
export function readOpinionPrompts(folder: string | undefined): Readonly<Record<string, string>> {
  const kinds = benchmarks.flatMap((make) => {
    const { id, opinions } = make(nowhere)
    return opinions ? [[id, readPrompt('second-opinion', opinions.prompt, folder)] as const] : []
  })
  return Object.fromEntries(kinds)
}
