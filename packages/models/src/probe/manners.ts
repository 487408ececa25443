/** How requests are written after a probe: without what the endpoint rejects. */
import type { ProbeFinding, FindingId } from '@stateeval/contracts'
import type { RequestManners } from '../dialects/table.ts'

export function deriveManners(findings: readonly ProbeFinding[]): RequestManners {
  const of = (id: FindingId) => findings.find((finding) => finding.id === id)
  const isRejected = (id: FindingId) => {
    const finding = of(id)
    return finding?.found === 'no' && finding.how === 'rejected'
  }
  const limit = isRejected('maxTokens')
    ? ('max_completion_tokens' as const)
    : isRejected('maxCompletionTokens')
      ? ('max_tokens' as const)
      : null
  const refused = (['temperature', 'seed'] as const).filter(isRejected)
  return {
    ...(limit !== null &&
      !(isRejected('maxTokens') && isRejected('maxCompletionTokens')) && { maxTokens: limit }),
    ...(isRejected('streamOptions') && { streamUsage: 'unasked' as const }),
    ...(isRejected('jsonSchema') && { schema: 'told' as const }),
    ...(isRejected('namedTool') && { toolChoice: 'word' as const }),
    ...(isRejected('systemRole') && { system: 'user' as const }),
    ...(refused.length > 0 && { refused }),
  }
}
