import type { Sandbox } from '../sandbox.ts'

/** Runs the inputs that our own failures spoiled once more: a world that hiccuped, a jail that didn’t start. */
export const retryInfrastructure = <S extends Sandbox>(sandbox: S): S => ({
  ...sandbox,
  async run(program, signal) {
    const observations = await sandbox.run(program, signal)
    const spoiled = observations.flatMap(({ ending }, index) => (ending.status === 'infrastructure' ? [index] : []))
    if (spoiled.length === 0) return observations
    const again = await sandbox.run({ ...program, inputs: spoiled.map((index) => program.inputs[index]!) }, signal)
    return observations.map((first, index) => again[spoiled.indexOf(index)] ?? first)
  },
})
