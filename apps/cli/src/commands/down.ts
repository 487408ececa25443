import { defineCommand, Failure } from '../command.ts'

export const down = defineCommand({
  name: 'down',
  describe: 'down',
  example: 'npx stateeval down',
  run: async () => {
    throw new Failure('down is not there yet')
  },
})
