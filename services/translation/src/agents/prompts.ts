/** The agents' prompts as files: those beside the service, or a person's own in the folder that a setting names. */
import { join } from 'node:path'
import { readPromptFiles } from '@stateeval/service-kit'
import { type AgentPrompts, faultOfPrompt, promptNames } from '@stateeval/translate'

const own = join(import.meta.dirname, '../../prompts')

/** Throws a SettingsError that names the file and what is wrong with it. */
export const readPrompts = (folder: string | undefined): AgentPrompts =>
  readPromptFiles(own, folder, promptNames, faultOfPrompt)
