/** What the dashboards show, as tables. */
export interface Panel {
  title: string
  /** What a reader learns from it. */
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
  says: 'Whether work moves: evaluations, queues, requests, servers.',
  rows: [
    {
      title: 'At a glance',
      panels: [
        {
          title: 'Jobs waiting',
          says: 'Jobs of all queues that nobody has taken.',
          unit: 'short',
          type: 'stat',
          queries: [['sum(max by (kind) (stateeval_queue_waiting_jobs))', 'waiting']],
        },
        {
          title: 'Oldest job',
          says: 'How long the job has waited that has waited longest.',
          unit: 's',
          type: 'stat',
          queries: [['max(stateeval_queue_lag_seconds)', 'lag']],
        },
        {
          title: 'Dead letters',
          says: 'Jobs that were given up: npx stateeval dead-letters lists them.',
          unit: 'short',
          type: 'stat',
          queries: [['max(stateeval_dead_letters)', 'dead letters']],
        },
        {
          title: 'Servers that answer',
          says: 'Share of services that reach NATS and MongoDB.',
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
          says: 'How fast samples and programs end, and how. Items that are not scored say nothing of the model.',
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
          says: 'Jobs that nobody has taken, by queue.',
          unit: 'short',
          queries: [['max by (kind) (stateeval_queue_waiting_jobs)', '{{kind}}']],
        },
        {
          title: 'Lag',
          says: 'Age of the oldest job that nobody has taken, by queue.',
          unit: 's',
          queries: [['max by (kind) (stateeval_queue_lag_seconds)', '{{kind}}']],
        },
        {
          title: 'In flight',
          says: 'Jobs being worked on, and jobs that the broker gave away and waits for.',
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
          says: 'How long jobs waited before somebody took them.',
          unit: 's',
          queries: quantiles('stateeval_job_wait_seconds', 'kind', '{{kind}}').slice(1),
        },
        {
          title: 'Time of work',
          says: 'How long an attempt at a job takes.',
          unit: 's',
          queries: quantiles('stateeval_job_duration_seconds', 'kind', '{{kind}}').slice(0, 2),
        },
        {
          title: 'Jobs by how they ended',
          says: 'retried, handed_back, moved and returned jobs come again; failed ones are dead letters.',
          unit: 'ops',
          stacked: true,
          queries: [[`sum by (kind, outcome) (${rate('stateeval_jobs_total')})`, '{{kind}}: {{outcome}}']],
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
          title: 'Time to answer',
          says: 'By service; waiting callers of long work are among them.',
          unit: 's',
          queries: quantiles('stateeval_http_request_duration_seconds', 'service', '{{service}}').slice(1),
        },
        {
          title: 'Being answered',
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
          says: 'Processors that each service uses; candidates’ code is on the dashboard of execution.',
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
          title: 'Delay of the event loop',
          says: 'From a second on, requests are answered 503.',
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
  says: 'Where the time of candidates’ runs goes, how runs end, how they are isolated.',
  rows: [
    {
      title: 'Runs',
      panels: [
        {
          title: 'Runs by ending',
          says: 'infrastructure says nothing of the program.',
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
          says: 'Which level of the sandbox programs got.',
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
          says: 'World made, place found, program run, world read, all put away.',
          unit: 's',
          queries: quantiles('stateeval_run_phase_duration_seconds', 'phase', '{{phase}}').slice(0, 2),
        },
        {
          title: 'Parts of a program’s run in a warm runner',
          says: 'Isolate or fork made, code run, leftovers put away.',
          unit: 's',
          queries: quantiles('stateeval_runner_part_duration_seconds', 'part', '{{part}}').slice(0, 2),
        },
        {
          title: 'CPU time of programs',
          says: 'Processors that candidates’ code uses.',
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
          title: 'Level in force',
          says: 'Replicas by how they isolate programs.',
          unit: 'short',
          queries: [['sum by (level) (stateeval_sandbox_level)', '{{level}}']],
        },
        {
          title: 'Moved and repeated runs',
          says: 'Moved: needed what a warm runner has not got. Repeated: timed out beside others, tried alone.',
          unit: 'ops',
          queries: [
            [`sum(${rate('stateeval_runs_moved_total')})`, 'moved'],
            [`sum(${rate('stateeval_runs_repeated_total')})`, 'repeated'],
          ],
        },
        {
          title: 'Graphs of tensors',
          says: 'Graphs that were run, and sessions of ONNX Runtime made for them.',
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
  says: 'What models are asked, how that ends, what it costs.',
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
          says: 'refused: another try would not help. failed: given up after the retries.',
          unit: 'ops',
          stacked: true,
          queries: [
            [`sum by (outcome) (${rate('stateeval_model_question_duration_seconds_count')})`, '{{outcome}}'],
          ],
        },
        {
          title: 'Time to an answer',
          says: 'Waiting for a turn and retries included.',
          unit: 's',
          queries: quantiles('stateeval_model_question_duration_seconds', 'outcome', '{{outcome}}'),
        },
        {
          title: 'Retries',
          says: 'Requests that were sent again.',
          unit: 'ops',
          queries: [[`sum by (service) (${rate('stateeval_model_retries_total')})`, '{{service}}']],
        },
      ],
    },
  ],
}

export const dashboards: readonly Dashboard[] = [overview, execution, models]
