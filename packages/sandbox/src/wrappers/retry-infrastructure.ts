import { gathered, type Sandbox } from '../sandbox.ts'

/**
 * Retries inputs once after infrastructure failures: a world that failed temporarily, or a jail that did
 * not start.
 */
export function retryInfrastructure<S extends Sandbox>(sandbox: S): S {
  const each: Sandbox['each'] = async (program, signal, take) => {
    const spoiled: number[] = []
    await sandbox.each(program, signal, async (observation, index) => {
      if (observation.ending.status === 'infrastructure') spoiled.push(index)
      else await take(observation, index)
    })
    if (spoiled.length === 0) return
    const inputs = spoiled.map((index) => program.inputs[index]!)
    await sandbox.each({ ...program, inputs }, signal, (observation, at) => take(observation, spoiled[at]!))
  }
  return { ...sandbox, each, run: gathered(each) }
}
