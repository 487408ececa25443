import { defineCommand, Failure } from '../command.ts'

export const status = defineCommand({
  name: 'status',
  describe: 'status',
  example: 'npx stateeval status',
  run: async () => {
    throw new Failure('status is not there yet')
  },
})
