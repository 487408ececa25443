/** Prometheus metrics as data points of OpenTelemetry: one registry serves scrapers and collectors. */
import { type HrTime, ValueType } from '@opentelemetry/api'
import { hrTime } from '@opentelemetry/core'
import { emptyResource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client'

type SampleValue = MetricValue<string> & { metricName?: string }
type MetricLabels = Record<string, string | number>

/** Collectors accept no data points of summaries, and none is registered here. */
export function createPrometheusProducer(registry: Registry, startTime: HrTime = hrTime()): MetricProducer {
  return {
    async collect() {
      const endTime = hrTime()
      const metrics = (await registry.getMetricsAsJSON()) as MetricObjectWithValues<SampleValue>[]
      return {
        resourceMetrics: {
          resource: emptyResource(),
          scopeMetrics: [
            {
              scope: { name: 'prom-client' },
              metrics: metrics.flatMap((metric) => convertMetric(metric, startTime, endTime)),
            },
          ],
        },
        errors: [],
      }
    },
  }
}

function convertMetric(
  { name, help, type, values: all }: MetricObjectWithValues<SampleValue>,
  startTime: HrTime,
  endTime: HrTime,
): MetricData[] {
  // JSON has no NaN, which gauges of Node give before there is anything to measure.
  const values = all.filter(({ value }) => Number.isFinite(value))
  const base = {
    descriptor: { name, description: help, unit: getUnit(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const point = <T>(attributes: MetricLabels, value: T) => ({ startTime, endTime, attributes, value })
  // Types of prom-client are an enum of numbers that its JSON gives as words.
  switch (String(type)) {
    case 'counter':
      return [
        {
          ...base,
          dataPointType: DataPointType.SUM,
          isMonotonic: true,
          dataPoints: values.map(({ labels, value }) => point(labels as MetricLabels, value)),
        },
      ]
    case 'gauge':
      return [
        {
          ...base,
          dataPointType: DataPointType.GAUGE,
          dataPoints: values.map(({ labels, value }) => point(labels as MetricLabels, value)),
        },
      ]
    case 'histogram':
      return [
        {
          ...base,
          dataPointType: DataPointType.HISTOGRAM,
          dataPoints: convertHistograms(values).map(([labels, value]) => point(labels, value)),
        },
      ]
    default:
      return []
  }
}

/** Metric names end with their unit, by the convention of Prometheus. */
const getUnit = (name: string) =>
  /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : ''

/** Buckets of Prometheus count all below a boundary, those of OpenTelemetry what lies between two. */
function convertHistograms(values: readonly SampleValue[]): [MetricLabels, Histogram][] {
  const series = new Map<
    string,
    { labels: MetricLabels; below: [number, number][]; sum: number; count: number }
  >()
  for (const { labels: all, value, metricName = '' } of values) {
    const { le, ...labels } = all as MetricLabels
    const key = JSON.stringify(labels)
    const one = series.get(key) ?? { labels, below: [], sum: 0, count: 0 }
    series.set(key, one)
    if (metricName.endsWith('_sum')) one.sum = value
    else if (metricName.endsWith('_count')) one.count = value
    else if (le !== undefined && le !== '+Inf') one.below.push([Number(le), value])
  }
  return [...series.values()].map(({ labels, below, sum, count }) => {
    const sorted = below.sort(([a], [b]) => a - b)
    const counts = sorted.map(([, value], at) => value - (sorted[at - 1]?.[1] ?? 0))
    const last = count - (sorted.at(-1)?.[1] ?? 0)
    const buckets = { boundaries: sorted.map(([le]) => le), counts: [...counts, last] }
    return [labels, { buckets, sum, count }]
  })
}
