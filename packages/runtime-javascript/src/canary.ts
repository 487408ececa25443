/** The canary of JavaScript, see runtime/src/warm/canary.ts. */
import type { CanaryProgram } from '@stateeval/runtime'

export const canary: CanaryProgram = {
  source: `(async function () {
  const { readdirSync } = require('fs')
  const reply = path && (await require('axios').get(BASE_URL + '/' + path)).data
  RESULT = { reply, files: [...readdirSync('/tmp'), ...readdirSync('/dev/shm')] }
})`,
  columnOffset: 0,
}
