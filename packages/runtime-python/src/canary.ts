/** The canary of Python, see runtime/src/warm/canary.ts. */
import type { CanaryProgram } from '@stateeval/runtime'

export const canary: CanaryProgram = {
  source: `import os, requests
reply = path and requests.get(f"{BASE_URL}/{path}").text
RESULT = {"reply": reply, "files": os.listdir("/tmp") + os.listdir("/dev/shm")}`,
  columnOffset: 0,
}
