/**
 * Prometheus's conventions for names of metrics (https://prometheus.io/docs/practices/naming), as far as
 * promtool checks them, and more.
 */
export interface Family {
  name: string
  type: string
  help: string
  labels: string[]
}

const wrongUnits =
  /(^|_)(milliseconds?|ms|micro\w*|nano\w*|minutes?|hours?|days?|kilo\w*|mega\w*|kib|mib|percent|msec|sec)(_|$)/
const units = ['seconds', 'bytes', 'dollars', 'tokens', 'jobs']

/** What is wrong with a family; nothing where it follows the conventions. */
export function namingFaults({ name, type, help, labels }: Family): string[] {
  const faults: string[] = []
  if (!/^[a-z][a-z0-9_]*$/.test(name)) faults.push('has other characters than a-z, 0-9 and _')
  if (help.trim().length < 10) faults.push('has no help')
  if (/[.;]$/.test(help)) faults.push('ends its help with a stop')
  if (wrongUnits.test(name)) faults.push('is in no base unit')
  if (type === 'counter' && !name.endsWith('_total')) faults.push('is a counter without _total')
  if (type !== 'counter' && name.endsWith('_total')) faults.push(`is a ${type} with _total`)
  if (/_(count|sum|bucket|info)$/.test(name)) faults.push('ends as parts of others do')
  if (/_(counter|gauge|histogram|summary|metric)(_|$)/.test(name)) faults.push('says its type')
  if (type === 'histogram' && !units.some((unit) => name.endsWith(`_${unit}`)))
    faults.push(`is a histogram without a unit: ${units.join(', ')}`)
  for (const label of labels) {
    if (!/^[a-z][a-z0-9_]*$/.test(label)) faults.push(`has a label ${label}`)
    if (['le', 'quantile', 'job', 'instance'].includes(label)) faults.push(`has the reserved label ${label}`)
  }
  return faults.map((fault) => `${name} ${fault}`)
}
