import { defineCommand, Failure } from '../command.ts'

export const serve = defineCommand({
  name: 'serve',
  describe: 'serve',
  example: 'npx stateeval serve',
  run: async () => {
    throw new Failure('serve is not there yet')
  },
})
