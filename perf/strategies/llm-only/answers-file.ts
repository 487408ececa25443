/** Answers kept in a file of JSON lines: a run that was cut short, or is repeated, asks for none of them again. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Answers, answersInMemory, type KeptAnswer } from '@stateeval/models'

export async function answersInFile(file: string): Promise<Answers> {
  const memory = answersInMemory()
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  for (const answer of lines.flatMap(read)) await memory.put(answer.key, answer)
  return {
    get: (key) => memory.get(key),
    async put(id, answer) {
      const storedAnswer = await memory.put(id, answer)
      mkdirSync(dirname(file), { recursive: true })
      if (storedAnswer === answer) appendFileSync(file, `${JSON.stringify(answer)}\n`)
      return storedAnswer
    },
  }
}

/** A kill may have cut a line short; what stood in it is asked for again. */
function read(line: string): KeptAnswer[] {
  try {
    return [JSON.parse(line) as KeptAnswer]
  } catch {
    return []
  }
}
