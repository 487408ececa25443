/** What a PromQL expression asks for, read by Prometheus's own grammar. */
import { parser } from '@prometheus-io/lezer-promql'

interface Query {
  /** Names of metrics that are selected. */
  metrics: string[]
  /** Names of labels that are matched, grouped by or joined on. */
  labels: string[]
}

/** Throws where the text is no PromQL. Grafana's interval stands for five minutes. */
export function readQuery(expr: string): Query {
  const text = expr.replaceAll('$__rate_interval', '5m')
  const metrics = new Set<string>()
  const labels = new Set<string>()
  parser.parse(text).iterate({
    enter(node) {
      const source = text.slice(node.from, node.to)
      if (node.type.isError)
        throw new Error(`no PromQL at ${node.from} of ${text}: ${source || 'it ends too soon'}`)
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector') metrics.add(source)
      if (node.name === 'LabelName') labels.add(source)
    },
  })
  return { metrics: [...metrics], labels: [...labels] }
}
