/** Alerts and dashboards tell installations of one cluster apart, and execution may have no replica. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import { dashboardFiles } from './dashboards.ts'
import { root } from './generated.ts'
import { missing, toolPath } from './kubernetes/tools.ts'

interface Rule {
  alert: string
  expr: string
}
const rules = (
  parse(readFileSync(join(root, 'deploy/alerts/stateeval.yaml'), 'utf8')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules)

/** The texts of all parts of a query with this name in Prometheus’s grammar. */
function partsOf(expr: string, name: string): string[] {
  const parts: string[] = []
  parser.parse(expr).iterate({
    enter(node) {
      if (node.name === name) parts.push(expr.slice(node.from, node.to))
    },
  })
  return parts
}

const reason = missing('promtool')
if (reason !== null) console.info(`skipped: alert rules are not evaluated. ${reason}`)
const withPromtool = reason === null ? test : test.skip

interface RuleTest {
  alert_rule_test: { alertname: string; exp_alerts: unknown[] }[]
}

test('every rule has a case in which it fires, and one in which it does not', () => {
  const file = parse(readFileSync(join(root, 'deploy/test/alerts.yaml'), 'utf8')) as { tests: RuleTest[] }
  const cases = file.tests.flatMap((one) => one.alert_rule_test)
  const alerts = rules.map(({ alert }) => alert).sort()
  for (const fires of [true, false]) {
    const tried = cases.filter(({ exp_alerts: expected }) => expected.length > 0 === fires)
    expect([...new Set(tried.map(({ alertname }) => alertname))].sort()).toEqual(alerts)
  }
})

withPromtool('Prometheus evaluates the rules as their cases say', () => {
  const args = ['test', 'rules', join(root, 'deploy/test/alerts.yaml')]
  const { status, stdout, stderr } = spawnSync(toolPath('promtool')!, args, { encoding: 'utf8' })
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
})

test('every rule keeps the labels of an installation in whatever it sums up or joins', () => {
  const labels = ['installation, namespace']
  for (const { alert, expr } of rules) {
    const aggregations = partsOf(expr, 'AggregateExpr')
    const groupings = partsOf(expr, 'GroupingLabels')
    const joins = [...expr.matchAll(/\b(on|ignoring)\b/g)]
    expect([alert, aggregations.length > 0]).toEqual([alert, true])
    expect([alert, groupings.length]).toEqual([alert, aggregations.length + joins.length])
    for (const grouping of groupings)
      expect([alert, grouping]).toEqual([alert, expect.stringContaining(`(${labels.join()}`)])
  }
})

test('every query of a dashboard selects the installation that is chosen', () => {
  for (const text of Object.values(dashboardFiles())) {
    const { panels, templating } = JSON.parse(text) as {
      panels: { targets?: { expr: string }[] }[]
      templating: { list: { name: string }[] }
    }
    expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'namespace', 'installation'])
    for (const { expr } of panels.flatMap(({ targets = [] }) => targets))
      for (const selector of partsOf(expr.replaceAll('$__rate_interval', '5m'), 'VectorSelector'))
        expect(selector).toMatch(/\{namespace=~"\$namespace", installation=~"\$installation"[,}]/)
  }
})

test('no rule takes execution without replicas for a fault; its waiting jobs are one', () => {
  const exprOf = (name: string) => rules.find(({ alert }) => alert === name)!.expr
  const missing = [...exprOf('StateEvalServiceMissing').matchAll(/service="(?<service>[a-z-]+)"/g)]
  expect(missing.map(({ groups }) => groups!['service'])).toEqual([
    'evaluation',
    'scoring',
    'translation',
    'trace-generation',
  ])
  expect(exprOf('StateEvalQueueStuck')).toContain('stateeval_queue_untaken_jobs')
})
