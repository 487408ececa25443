/** Panels of the dashboards, as tables. */
export interface Panel {
  title: string
  /** The panel's meaning, for readers. */
  says: string
  /** Grafana's name of the unit. */
  unit: 's' | 'short' | 'percentunit' | 'currencyUSD' | 'ops' | 'bytes' | 'bool'
  type?: 'timeseries' | 'stat'
  stacked?: boolean
  /** PromQL, and what its series are called. */
  queries: readonly (readonly [expr: string, legend: string])[]
}
export interface Dashboard {
  id: string
  title: string
  says: string
  rows: readonly { title: string; panels: readonly Panel[] }[]
}

const range = '[$__rate_interval]'
const rate = (metric: string) => `rate(${metric}${range})`
const quantiles = (metric: string, by: string, legend: string) =>
  [0.5, 0.95, 0.99].map(
    (q) =>
      [
        `histogram_quantile(${q}, sum by (le, ${by}) (${rate(`${metric}_bucket`)}))`,
        `${legend} p${q * 100}`,
      ] as const,
  )

const overview: Dashboard = {
  id: 'overview',
  title: 'overview',
  says: 'Progress of evaluations, queues, requests and servers.',
  rows: [
    {
      title: 'At a glance',
      panels: [
        {
          title: 'Jobs waiting',
          says: 'Jobs waiting in all queues.',
          unit: 'short',
          type: 'stat',
          queries: [['sum(max by (kind) (stateeval_queue_waiting_jobs))', 'waiting']],
        },
        {
          title: 'Oldest job',
          says: 'Age of the job that has waited longest.',
          unit: 's',
          type: 'stat',
          queries: [['max(stateeval_queue_lag_seconds)', 'lag']],
        },
        {
          title: 'Dead letters',
          says: 'Jobs that failed at every attempt. List them with npx stateeval dead-letters.',
          unit: 'short',
          type: 'stat',
          queries: [['max(stateeval_dead_letters)', 'dead letters']],
        },
        {
          title: 'Available servers',
          says: 'Share of services that can reach NATS and MongoDB.',
          unit: 'percentunit',
          type: 'stat',
          queries: [['avg by (server) (stateeval_server_up)', '{{server}}']],
        },
      ],
    },
    {
      title: 'Builds and evaluations',
      panels: [
        {
          title: 'Items by outcome',
          says: 'Rate of finished samples and programs by outcome. Items that are not scored do not concern the model.',
          unit: 'ops',
          stacked: true,
          queries: [
            [
              `sum by (of, stage, outcome) (${rate('stateeval_items_total')})`,
              '{{of}} {{stage}}: {{outcome}}',
            ],
          ],
        },
        {
          title: 'Samples not scored',
          says: 'Infrastructure errors and refused questions.',
          unit: 'ops',
          queries: [[`sum(${rate('stateeval_samples_not_scored_total')})`, 'not scored']],
        },
      ],
    },
    {
      title: 'Queues',
      panels: [
        {
          title: 'Waiting',
          says: 'Waiting jobs by queue.',
          unit: 'short',
          queries: [['max by (kind) (stateeval_queue_waiting_jobs)', '{{kind}}']],
        },
        {
          title: 'Lag',
          says: 'Age of the oldest waiting job by queue.',
          unit: 's',
          queries: [['max by (kind) (stateeval_queue_lag_seconds)', '{{kind}}']],
        },
        {
          title: 'Without takers',
          says: 'Waiting jobs of queues from which no replica takes.',
          unit: 'short',
          queries: [['max by (kind) (stateeval_queue_untaken_jobs)', '{{kind}}']],
        },
        {
          title: 'In flight',
          says: 'Jobs in progress, and jobs that the broker delivered and that are not acknowledged.',
          unit: 'short',
          queries: [
            ['sum by (kind) (stateeval_jobs_in_flight)', '{{kind}} in work'],
            ['max by (kind) (stateeval_queue_taken_jobs)', '{{kind}} taken'],
            ['max by (kind) (stateeval_queue_repeated_jobs)', '{{kind}} repeated'],
          ],
        },
      ],
    },
    {
      title: 'Stages',
      panels: [
        {
          title: 'Time in the queue',
          says: 'Time that jobs waited before their delivery.',
          unit: 's',
          queries: quantiles('stateeval_job_wait_seconds', 'kind', '{{kind}}').slice(1),
        },
        {
          title: 'Duration of attempts',
          says: 'Duration of an attempt at a job.',
          unit: 's',
          queries: quantiles('stateeval_job_duration_seconds', 'kind', '{{kind}}').slice(0, 2),
        },
        {
          title: 'Jobs by ending',
          says: 'retried, handed_back, moved and returned jobs are delivered again; failed ones are dead letters.',
          unit: 'ops',
          stacked: true,
          queries: [[`sum by (kind, outcome) (${rate('stateeval_jobs_total')})`, '{{kind}}: {{outcome}}']],
        },
      ],
    },
    {
      title: 'Servers and certificates',
      panels: [
        {
          title: 'Used storage',
          says: 'Used share of the storage of servers that report its size.',
          unit: 'percentunit',
          queries: [
            [
              'max by (server) (stateeval_server_storage_used_bytes) / min by (server) (stateeval_server_storage_limit_bytes)',
              '{{server}}',
            ],
          ],
        },
        {
          title: 'Certificates',
          says: 'Time until a certificate expires.',
          unit: 's',
          queries: [
            [
              'min by (service, certificate) (stateeval_certificate_expiry_timestamp_seconds) - time()',
              '{{service}}: {{certificate}}',
            ],
          ],
        },
      ],
    },
    {
      title: 'HTTP',
      panels: [
        {
          title: 'Requests',
          says: 'Requests by service and status.',
          unit: 'ops',
          stacked: true,
          queries: [
            [
              `sum by (service, status) (${rate('stateeval_http_request_duration_seconds_count')})`,
              '{{service}} {{status}}',
            ],
          ],
        },
        {
          title: 'Duration of requests',
          says: 'By service, including requests that wait for long work.',
          unit: 's',
          queries: quantiles('stateeval_http_request_duration_seconds', 'service', '{{service}}').slice(1),
        },
        {
          title: 'In flight',
          says: 'Requests in flight.',
          unit: 'short',
          queries: [['sum by (service) (stateeval_http_requests_in_flight)', '{{service}}']],
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          title: 'CPU',
          says: 'Processors used by each service. The dashboard of execution shows candidates’ code.',
          unit: 'short',
          queries: [[`sum by (service) (${rate('process_cpu_seconds_total')})`, '{{service}}']],
        },
        {
          title: 'Memory',
          says: 'Resident memory of the largest replica.',
          unit: 'bytes',
          queries: [['max by (service) (process_resident_memory_bytes)', '{{service}}']],
        },
        {
          title: 'Event-loop delay',
          says: 'At one second or more, requests get 503.',
          unit: 's',
          queries: [['max by (service) (nodejs_eventloop_lag_p99_seconds)', '{{service}}']],
        },
      ],
    },
  ],
}

const execution: Dashboard = {
  id: 'execution',
  title: 'execution',
  says: 'Duration, endings and isolation of candidates’ runs.',
  rows: [
    {
      title: 'Runs',
      panels: [
        {
          title: 'Runs by ending',
          says: 'The ending infrastructure does not concern the program.',
          unit: 'ops',
          stacked: true,
          queries: [[`sum by (ending) (${rate('stateeval_runs_total')})`, '{{ending}}']],
        },
        {
          title: 'Infrastructure errors',
          says: 'Share of runs in which the sandbox or the world failed.',
          unit: 'percentunit',
          queries: [
            [
              `sum(${rate('stateeval_infrastructure_errors_total')}) / sum(${rate('stateeval_runs_total')})`,
              'share',
            ],
          ],
        },
        {
          title: 'Runs by isolation',
          says: 'Runs by level of the sandbox.',
          unit: 'ops',
          stacked: true,
          queries: [
            [`sum by (sandbox, language) (${rate('stateeval_runs_total')})`, '{{sandbox}} {{language}}'],
          ],
        },
      ],
    },
    {
      title: 'Time',
      panels: [
        {
          title: 'Parts of a run',
          says: 'Create the world, wait for a place, run the program, read the world, clean up.',
          unit: 's',
          queries: quantiles('stateeval_run_phase_duration_seconds', 'phase', '{{phase}}').slice(0, 2),
        },
        {
          title: 'Parts of a program’s run in a warm runner',
          says: 'Run the code, clean up.',
          unit: 's',
          queries: quantiles('stateeval_runner_part_duration_seconds', 'part', '{{part}}').slice(0, 2),
        },
        {
          title: 'CPU time of programs',
          says: 'Processors used by candidates’ code.',
          unit: 'short',
          queries: [
            [
              `sum by (sandbox, language) (${rate('stateeval_run_cpu_seconds_total')})`,
              '{{sandbox}} {{language}}',
            ],
          ],
        },
      ],
    },
    {
      title: 'Isolation',
      panels: [
        {
          title: 'Active level',
          says: 'Replicas by isolation level.',
          unit: 'short',
          queries: [['sum by (level) (stateeval_sandbox_level)', '{{level}}']],
        },
        {
          title: 'Moved and repeated runs',
          says: 'Moved: needed a feature that warm runners lack. Repeated: timed out in parallel with others, retried alone.',
          unit: 'ops',
          queries: [
            [`sum(${rate('stateeval_runs_moved_total')})`, 'moved'],
            [`sum(${rate('stateeval_runs_repeated_total')})`, 'repeated'],
          ],
        },
        {
          title: 'Tensor graphs',
          says: 'Graphs that were run, and ONNX Runtime sessions created for them.',
          unit: 'ops',
          queries: [
            [`sum by (provider) (${rate('stateeval_graphs_total')})`, '{{provider}} graphs'],
            [`sum by (provider) (${rate('stateeval_graph_sessions_total')})`, '{{provider}} sessions'],
          ],
        },
      ],
    },
  ],
}

const models: Dashboard = {
  id: 'models',
  title: 'models',
  says: 'Questions to models, their outcomes and cost.',
  rows: [
    {
      title: 'Cost',
      panels: [
        {
          title: 'US dollars',
          says: 'Cost in the last hour, of models with prices.',
          unit: 'currencyUSD',
          queries: [['sum by (service) (increase(stateeval_model_cost_dollars_total[1h]))', '{{service}}']],
        },
        {
          title: 'Tokens',
          says: 'Tokens a second, as endpoints reported them.',
          unit: 'ops',
          stacked: true,
          queries: [[`sum by (direction) (${rate('stateeval_model_tokens_total')})`, '{{direction}}']],
        },
      ],
    },
    {
      title: 'Questions',
      panels: [
        {
          title: 'Questions by outcome',
          says: 'refused: a retry would not help. failed: all retries failed.',
          unit: 'ops',
          stacked: true,
          queries: [
            [`sum by (outcome) (${rate('stateeval_model_question_duration_seconds_count')})`, '{{outcome}}'],
          ],
        },
        {
          title: 'Time to an answer',
          says: 'Including queueing and retries.',
          unit: 's',
          queries: quantiles('stateeval_model_question_duration_seconds', 'outcome', '{{outcome}}'),
        },
        {
          title: 'Retries',
          says: 'Retried requests.',
          unit: 'ops',
          queries: [[`sum by (service) (${rate('stateeval_model_retries_total')})`, '{{service}}']],
        },
      ],
    },
  ],
}

export const dashboards: readonly Dashboard[] = [overview, execution, models]
