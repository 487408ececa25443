import { createSandbox } from './create-sandbox.ts'
import { sandboxLaws } from './laws.ts'

sandboxLaws('process-jail', () => createSandbox({ level: 'process-jail' }))
sandboxLaws('warm-jail', () => createSandbox({ level: 'warm-jail' }))
