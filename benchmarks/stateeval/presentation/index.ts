import type { Presentation } from '@stateeval/program/presentation'

const presentation: Presentation = { kind: 'stateeval', builtFrom: 'programs' }
export default presentation
