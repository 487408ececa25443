import { defineCommand, Failure } from '../command.ts'

export const up = defineCommand({
  name: 'up',
  describe: 'up',
  example: 'npx stateeval up',
  run: async () => {
    throw new Failure('up is not there yet')
  },
})
