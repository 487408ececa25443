/**
 * Writes the Grafana dashboards in deploy/grafana from the tables in dashboards/: `npx node
 * scripts/dashboards.ts`. --check writes nothing and fails where a file differs. Queries hold for any number
 * of replicas: what every replica tells of a shared queue is taken once (max), what each has done itself is
 * added up (sum).
 */
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { dashboards, type Dashboard, type Panel } from './dashboards/tables.ts'
import { root, writeOrCheck } from './generated.ts'

const datasource = { type: 'prometheus', uid: '${datasource}' }
/** Labels that the scrape adds, outermost first; a variable of each dashboard selects its values. */
const scopes = ['namespace', 'installation'] as const
const matchers = scopes.map((label) => `${label}=~"$${label}"`).join(', ')

/** The query for the chosen installations only. */
function scoped(expr: string): string {
  // The replacement has the same length, so that places stay.
  const interval = '$__rate_interval'
  const ends: number[] = []
  parser.parse(expr.replaceAll(interval, '5m'.padEnd(interval.length))).iterate({
    enter({ name, node, to }) {
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') ends.push(to)
    },
  })
  return ends.reduceRight((text, end) => {
    const rest = text.slice(end)
    const isMatched = rest.startsWith('{')
    return `${text.slice(0, end)}{${matchers}${isMatched ? `, ${rest.slice(1)}` : `}${rest}`}`
  }, expr)
}

const columns = 24
const height = 8

/** Panels from left to right, as many in a row as their widths allow; a row's heading is a panel, too. */
function placed({ rows }: Dashboard): object[] {
  const all: object[] = []
  let y = 0
  for (const { title, panels } of rows) {
    all.push({
      id: all.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y: y++, w: columns, h: 1 },
      panels: [],
    })
    const width = Math.floor(columns / panels.length)
    for (const [at, panel] of panels.entries())
      all.push({ id: all.length + 1, gridPos: { x: at * width, y, w: width, h: height }, ...panelOf(panel) })
    y += height
  }
  return all
}

function panelOf({ title, says, unit, queries, type = 'timeseries', stacked = false }: Panel): object {
  return {
    type,
    title,
    description: says,
    datasource,
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(type === 'timeseries' && {
          custom: {
            fillOpacity: stacked ? 40 : 5,
            ...(stacked && { stacking: { mode: 'normal', group: 'A' } }),
          },
        }),
      },
      overrides: [],
    },
    options:
      type === 'timeseries'
        ? { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } }
        : { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false } },
    targets: queries.map(([expr, legendFormat], at) => ({
      refId: String.fromCharCode(65 + at),
      datasource,
      expr: scoped(expr),
      legendFormat,
    })),
  }
}

const fileOf = (dashboard: Dashboard) => ({
  uid: `stateeval-${dashboard.id}`,
  title: `StateEval: ${dashboard.title}`,
  description: dashboard.says,
  tags: ['stateeval'],
  schemaVersion: 39,
  version: 1,
  editable: true,
  graphTooltip: 1,
  time: { from: 'now-6h', to: 'now' },
  refresh: '30s',
  timezone: '',
  templating: {
    list: [
      {
        name: 'datasource',
        label: 'Data source',
        type: 'datasource',
        query: 'prometheus',
        current: {},
        hide: 0,
      },
      ...scopes.map((label, at) => ({
        name: label,
        type: 'query',
        datasource,
        query: `label_values(stateeval_server_up${at > 0 ? `{${scopes[0]}=~"$${scopes[0]}"}` : ''}, ${label})`,
        refresh: 2,
        includeAll: true,
        // Also series without the label.
        allValue: '.*',
        multi: true,
        current: { text: 'All', value: '$__all' },
        hide: 0,
      })),
    ],
  },
  annotations: { list: [] },
  panels: placed(dashboard),
})

/** All files by their path. */
export const dashboardFiles = (): Record<string, string> =>
  Object.fromEntries(
    dashboards.map((dashboard) => [
      join(root, 'deploy/grafana', `${dashboard.id}.json`),
      `${JSON.stringify(fileOf(dashboard), null, 2)}\n`,
    ]),
  )

if (import.meta.main)
  writeOrCheck(dashboardFiles(), {
    check: process.argv.includes('--check'),
    remedy: 'npx node scripts/dashboards.ts',
  })
