import { sandboxLaws } from './laws.ts'
import { createSandbox } from './create-sandbox.ts'

sandboxLaws('process-jail', () => createSandbox())
