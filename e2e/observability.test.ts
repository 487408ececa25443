/**
 * Metrics, dashboards and alerts held against each other: all services are scraped, names follow Prometheus's
 * conventions, and whatever a panel or a rule asks for is there, with its labels.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { startSuite, type Suite } from '@stateeval/testkit'
import { parse } from 'yaml'
import { dashboardFiles } from '../scripts/dashboards.ts'
import { type Family, namingFaults } from './observability/lint.ts'
import { readQuery } from './observability/promql.ts'

const deploy = join(import.meta.dirname, '../deploy')

let suite: Suite
/** By service. */
const families = new Map<string, Family[]>()
const scrapes = new Map<string, string>()
beforeAll(async () => {
  suite = await startSuite()
  for (const [name, { platform, url }] of Object.entries(suite.services)) {
    await platform.bus.ready()
    const response = await fetch(`${url}/metrics`)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    const text = await response.text()
    scrapes.set(name, text)
    const labelsOf = new Map(
      platform.metrics.registry
        .getMetricsAsArray()
        .map((metric) => [metric.name, (metric as unknown as { labelNames?: string[] }).labelNames ?? []]),
    )
    families.set(
      name,
      [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \1 (\S+)$/gm)].map(
        ([, metric = '', help = '', type = '']) => ({
          name: metric,
          help,
          type,
          labels: (labelsOf.get(metric) ?? []).filter((label) => label !== 'le'),
        }),
      ),
    )
  }
})
afterAll(() => suite?.stop())

const all = () => [...families.values()].flat()
const ownMetrics = () => all().filter(({ name }) => name.startsWith('stateeval_'))

test('every metric of ours follows the conventions', () => {
  expect(ownMetrics().flatMap(namingFaults)).toEqual([])
  expect(new Set(ownMetrics().map(({ name }) => name)).size).toBeGreaterThan(20)
})

test('every service tells of its queues, its servers and its requests', () => {
  for (const [name, text] of scrapes) {
    for (const server of ['nats', 'mongodb'])
      expect(text).toContain(`stateeval_server_up{server="${server}",service="${name}"} 1`)
    expect(text).toContain(`stateeval_dead_letters{service="${name}"} 0`)
    expect(text).toContain(`stateeval_queue_waiting_jobs{kind="${name}.`)
    expect(text).toContain(`stateeval_queue_lag_seconds{kind="${name}.`)
  }
  expect(scrapes.get('execution')).toMatch(
    /^stateeval_sandbox_level\{level="[a-z-]+",service="execution"\} 1$/m,
  )
})

interface Panel {
  id: number
  type: string
  title: string
  description?: string
  gridPos: { x: number; y: number; w: number; h: number }
  datasource?: { uid: string }
  fieldConfig?: { defaults: { unit: string } }
  targets?: { refId: string; expr: string; legendFormat: string }[]
}
interface Dashboard {
  uid: string
  title: string
  schemaVersion: number
  panels: Panel[]
  templating: { list: { name: string; type: string }[] }
}
const dashboards = readdirSync(join(deploy, 'grafana')).map(
  (file) => [file, JSON.parse(readFileSync(join(deploy, 'grafana', file), 'utf8')) as Dashboard] as const,
)
interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; description: string }
}
const rules = (
  parse(readFileSync(join(deploy, 'alerts/stateeval.yaml'), 'utf8')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules)

/** What is wrong with a query: what it asks for is not scraped, or has no such label. */
function queryFaults(where: string, expr: string): string[] {
  const { metrics, labels } = readQuery(expr)
  if (metrics.length === 0) return [`${where}: asks for nothing`]
  const uses = metrics.map((metric) => ({
    metric,
    is: all().filter(
      ({ name, type }) =>
        name === metric ||
        (type === 'histogram' && ['_bucket', '_count', '_sum'].some((part) => metric === name + part)),
    ),
  }))
  const labelNames = new Set([
    ...uses.flatMap(({ is }) => is.flatMap((family) => family.labels)),
    ...['service', 'le', 'namespace', 'installation'],
  ])
  return [
    ...uses.filter(({ is }) => is.length === 0).map(({ metric }) => `${where}: nobody has ${metric}`),
    ...labels
      .filter((label) => !labelNames.has(label))
      .map((label) => `${where}: there is no label ${label}`),
  ]
}

test('the dashboards are what their tables say, and Grafana can place every panel', () => {
  for (const [path, text] of Object.entries(dashboardFiles())) expect(readFileSync(path, 'utf8')).toBe(text)
  expect(new Set(dashboards.map(([, { uid }]) => uid)).size).toBe(dashboards.length)
  for (const [file, { panels, templating, schemaVersion, title }] of dashboards) {
    expect([file, schemaVersion >= 36, title.length > 0]).toEqual([file, true, true])
    expect(templating.list).toContainEqual(
      expect.objectContaining({ name: 'datasource', type: 'datasource' }),
    )
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    const cells = new Set<string>()
    for (const { type, title: name, gridPos, description, datasource, fieldConfig, targets } of panels) {
      expect([name, ['row', 'timeseries', 'stat'].includes(type)]).toEqual([name, true])
      expect([name, gridPos.x >= 0 && gridPos.w > 0 && gridPos.x + gridPos.w <= 24]).toEqual([name, true])
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect([name, cells.has(`${x},${y}`)]).toEqual([name, false])
          cells.add(`${x},${y}`)
        }
      if (type === 'row') continue
      expect([name, (description ?? '').length > 10, fieldConfig?.defaults.unit]).toEqual([
        name,
        true,
        expect.stringMatching(/^(s|short|percentunit|currencyUSD|ops|bytes|bool)$/),
      ])
      expect(datasource?.uid).toBe('${datasource}')
      expect(targets?.length).toBeGreaterThan(0)
      expect(new Set(targets?.map(({ refId }) => refId)).size).toBe(targets?.length)
    }
  }
})

test('what panels and rules ask for is PromQL, and there in a real scrape with those labels', () => {
  const faults = [
    ...dashboards.flatMap(([file, { panels }]) =>
      panels.flatMap(({ title, targets = [] }) =>
        targets.flatMap(({ expr, legendFormat }) => [
          ...queryFaults(`${file}, ${title}`, expr),
          ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, label = '']) =>
            readQuery(expr).labels.includes(label) ? [] : [`${file}, ${title}: no ${label} for its legend`],
          ),
        ]),
      ),
    ),
    ...rules.flatMap(({ alert, expr }) => queryFaults(alert, expr)),
  ]
  expect(faults).toEqual([])
})

test('every alert says what happened, what to do and how bad it is', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { alert, labels, annotations, expr } of rules) {
    expect(alert).toMatch(/^StateEval[A-Z][A-Za-z]+$/)
    expect([alert, labels.severity]).toEqual([alert, expect.stringMatching(/^(warning|critical)$/)])
    expect([alert, annotations.summary.length > 10, annotations.description.length > 20]).toEqual([
      alert,
      true,
      true,
    ])
    const query = readQuery(expr)
    for (const [, label = ''] of annotations.summary.matchAll(/\$labels\.(\w+)/g))
      expect([alert, query.labels]).toEqual([alert, expect.arrayContaining([label])])
  }
})

test('the reader of PromQL refuses what is none', () => {
  expect(() => readQuery('sum(rate(a[5m])')).toThrow('no PromQL')
  expect(() => readQuery('rate(a[5m]) by')).toThrow('no PromQL')
  expect(readQuery('sum by (kind) (a{b="c"}) / on (d) e')).toEqual({
    metrics: ['a', 'e'],
    labels: ['kind', 'b', 'd'],
  })
})
