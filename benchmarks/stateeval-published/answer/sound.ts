/** The program of an answer, read as every benchmark reads it: nothing of its code is deleted. */
import { readProgram } from '@stateeval/answers'

/** null where there is no code, or where the answer ends within its thoughts. */
export function extractSoundly(answer: string): string | null {
  const reading = readProgram(answer, 'python')
  return 'code' in reading ? reading.code : null
}
