/** The site's sidebar, in the order in which a reader meets its pages. */
import { globSync } from 'node:fs'
import { root } from '../generated.ts'

export interface Entry {
  text: string
  /** A page of the repository, or a generated one below `reference/`. */
  page: string
}
interface Group {
  text: string
  items: (Entry | Group)[]
}

const pages = (...items: [text: string, page: string][]): Entry[] =>
  items.map(([text, page]) => ({ text, page }))

/** The README of each package and scenario that has no other page. */
const packagePages = (): [text: string, page: string][] =>
  globSync(['packages/*/README.md', 'scenarios/{session-service,elevenlabs-mcp}/README.md'], { cwd: root })
    .sort()
    .map((page) => [`Package: ${page.split('/')[1]}`, page])

/** @param decisions the decision pages by their titles */
export const navigation = (decisions: readonly Entry[], services: readonly Entry[]): Group[] => [
  {
    text: 'Tutorial',
    items: pages(
      ['What StateEval is, and a first evaluation', 'README.md'],
      ['A real model in five minutes', 'docs/first-model.md'],
      ['A benchmark of your own API in ten minutes', 'docs/your-api.md'],
    ),
  },
  {
    text: 'How to',
    items: [
      {
        text: 'Researcher',
        items: pages(
          ['Evaluate a model', 'docs/evaluation.md'],
          ['Connect models', 'docs/models.md'],
          ['How answers are read', 'docs/answers.md'],
          ['Answer by calling tools', 'docs/tools.md'],
          ['Create a benchmark of your API', 'docs/dataset-creation.md'],
          ['Make a model of your API', 'docs/worlds.md'],
          ['Write instructions by agents', 'docs/translation.md'],
          ['Look at evaluations in the browser', 'docs/dashboard.md'],
          ['Read a score', 'docs/scoring.md'],
          ['Make the paper’s tables', 'docs/paper.md'],
          ['Export data', 'docs/data.md'],
          ['Certify a benchmark', 'docs/certificates.md'],
          ['Audit a benchmark', 'docs/audits.md'],
        ),
      },
      {
        text: 'Pipeline owner',
        items: pages(
          ['Gate a pipeline', 'docs/pipelines.md'],
          ['Track in MLflow or W&B', 'docs/tracking.md'],
          ['Use other evaluation tools', 'docs/bridges.md'],
          ['Receive webhooks', 'docs/webhooks.md'],
          ['Send telemetry', 'docs/telemetry.md'],
        ),
      },
      {
        text: 'Trainer',
        items: pages(
          ['Run programs in the sandbox', 'docs/execution.md'],
          ['Drive cases step by step', 'docs/environments.md'],
          ['Difficulty', 'docs/difficulty.md'],
          ['Streams of tasks', 'docs/streams.md'],
          ['Client for Python', 'clients/python/README.md'],
          ['Client for Go', 'clients/go/README.md'],
          ['Client for TypeScript', 'clients/typescript/README.md'],
        ),
      },
      {
        text: 'Platform engineer',
        items: pages(
          ['Run on one machine', 'docs/running.md'],
          ['Containers', 'docs/docker.md'],
          ['Kubernetes', 'docs/kubernetes.md'],
          ['Files for containers', 'deploy/files/README.md'],
          ['Access', 'docs/access.md'],
          ['Limits', 'docs/limits.md'],
          ['Credentials and TLS', 'docs/connections.md'],
          ['Operations', 'docs/operations.md'],
        ),
      },
      {
        text: 'Contributor',
        items: pages(['Recipes', 'CONTRIBUTING.md'], ['Architecture', 'ARCHITECTURE.md'], ...packagePages()),
      },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'HTTP', items: [...services] },
      ...pages(
        ['Commands', 'docs/commands.md'],
        ['Command line', 'docs/command-line.md'],
        ['Configuration', 'docs/configuration.md'],
        ['Glossary', 'docs/glossary.md'],
      ),
      {
        text: 'Benchmarks',
        items: pages(
          ['StateEval', 'benchmarks/stateeval/README.md'],
          ['StateEval, published cases', 'benchmarks/stateeval-published/README.md'],
          ['WAPIIBench', 'benchmarks/wapiibench/README.md'],
          ['NESTFUL', 'benchmarks/nestful/README.md'],
          ['ComplexFuncBench', 'benchmarks/complexfuncbench/README.md'],
          ['LLM-only baseline', 'benchmarks/llm-only/README.md'],
        ),
      },
      {
        text: 'API worlds',
        items: pages(
          ['Session service', 'docs/session-service.md'],
          ['Tensor operations', 'scenarios/tensor-operation/README.md'],
          ['ElevenLabs tools', 'docs/elevenlabs-mcp.md'],
          ['Instructions: session service', 'reference/instructions/session-service.md'],
          ['Instructions: tensor operations', 'reference/instructions/tensor-operation.md'],
          ['Instructions: ElevenLabs tools', 'reference/instructions/elevenlabs-mcp.md'],
        ),
      },
    ],
  },
  {
    text: 'Explanation',
    items: [
      ...pages(
        ['Trust', 'docs/trust.md'],
        ['Security', 'docs/security.md'],
        ['Performance', 'docs/performance.md'],
        ['Scaling', 'docs/scaling.md'],
      ),
      { text: 'Decisions', items: [...decisions] },
    ],
  },
]

/** All entries, in order. */
export const entriesOf = (groups: readonly (Entry | Group)[]): Entry[] =>
  groups.flatMap((one) => ('page' in one ? [one] : entriesOf(one.items)))
