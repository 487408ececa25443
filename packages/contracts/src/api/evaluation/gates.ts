/** Gates: thresholds for an evaluation. */
import { exampleGate } from '../../examples/gate.ts'
import { GateRequest, GateVerdict } from '../../gate.ts'
import { IdParams } from '../../job.ts'
import { defineOperations } from '../../operation.ts'

export const gateOperations = defineOperations({
  checkGate: {
    method: 'POST',
    path: '/v1/evaluations/:id/gate',
    scope: 'read',
    tag: 'evaluations',
    summary: 'Check an evaluation against thresholds and a baseline',
    description:
      'Checks whether a succeeded evaluation meets every given threshold: pass rate, samples without a score, and drop against a baseline, paired on the same cases and samples. Each check has a sentence with the finding and the requirement. The route stores nothing; the same request gets the same response.',
    params: IdParams,
    body: GateRequest,
    success: { 200: { description: 'The verdict', schema: GateVerdict, example: exampleGate } },
    errors: [400, 404, 409, 413, 415, 422, 429],
    example: { minRate: 0.8, baseline: 'ev_0123456789abcdef', maxRegression: 0.02, significant: true },
  },
})
