/** The names and addresses in the pages, as those of the suite. */
import type { DocumentedSuite } from './suite.ts'

/** The newest benchmark that models wrote, and its first case, as a reader copies them. */
const written =
  '$(npx stateeval list benchmarks --json | jq -r \'map(select(.writing or .build.translator == "agents")) | max_by(.createdAt).id\')'
const writtenCase = `$(npx stateeval review ${written} --json | jq -r '.[0].case')`
const newestTwo =
  '$(npx stateeval list evaluations --json | jq -r \'map(select(.status == "succeeded")) | sort_by(.createdAt)[-2:][].id\')'
const heldOut =
  '$(npx stateeval streams list --json | jq -r \'map(select(.purpose == "held-out")) | max_by(.createdAt).id\')'
const services = ['evaluation', 'trace-generation', 'translation', 'execution', 'scoring']
/** Where servers listen that the pages start. */
const served = [5000, 7410, 7411, 7412, 7420, 7575, 7600, 8001]

/**
 * @param ports free ones in place of those of servers
 * @returns a block to type, made of one that a page shows
 */
export function substituted(block: string, suite: DocumentedSuite, ports: readonly number[]): string {
  const { names, model, hooks } = suite
  // In one pass: the suite may have the ports of the pages for other services.
  let script = block.replaceAll(
    /(?<host>127\.0\.0\.1|localhost)?(?<before>:|--port |PORT=)(?<port>\d{4})\b/g,
    (...found) => {
      const { host = '', before = '', port = '' } = found.at(-1) as Record<string, string | undefined>
      const service = host && services[Number(port) - 7400]
      const free = ports[served.indexOf(Number(port))]
      if (service) return suite.url(service)
      return free === undefined ? `${host}${before}${port}` : `${host}${before}${free}`
    },
  )
  const pairs: [string | RegExp, string][] = [
    // Fewer of what takes long.
    [/--programs \d{2,} +--keep \d{2,}/g, '--programs 12 --keep 6'],
    [/--programs \d{2,}/g, '--programs 12'],
    [/--samples \d+/g, '--samples 2'],
    [/https:\/\/(?:api\.example\.com|models\.example)(?=\/v1)/g, `http://${model}`],
    [/(?<=_HOSTS=)\S+/g, model],
    ['http://127.0.0.1:8000', `http://${model}`],
    ['https://hooks.example.com', `http://${hooks}`],
    ['https://stateeval.example.com', `http://${suite.url('evaluation')}`],
    ['mongodb://127.0.0.1:27017', suite.mongodb],
    [/(?<=stateeval review {1,3})(?:bm_…|BENCHMARK)/g, written],
    [/(?<=stateeval review .*'\)) CASE\b/g, ` ${writtenCase}`],
    // Of the page's own kind: the two that have just succeeded.
    [/(?<=stateeval tables {1,4})EVALUATION EVALUATION/g, newestTwo],
    [/(?<=stateeval streams (?:reveal|verify) )str_0123456789abcdef\w*/g, heldOut],
    ['EVALUATION EVALUATION', `${names.reference} ${names.mutant}`],
    // It is there for other pages.
    [/(?<=projects create )speech-team/g, 'another-team'],
    // Pages that follow need the evaluations, and the suite ends with --purge.
    [/(?<=stateeval delete )ev_\w+/g, names.disposable],
    ['down --purge', 'down'],
    [/(?<=stateeval recording {1,4})(?:EVALUATION|ev_…)/g, names.asked],
    [/(?<=stateeval resume {1,4})EVALUATION/g, names.stopped],
    [/\bev_(?:…|0123456789abcdef\w*)/g, names.reference],
    [/\bev_fedcba9876543210\w*/g, names.mutant],
    [/\bEVALUATION\b/g, names.reference],
    [/\bbm_(?:…|0123456789abcdef\w*)/g, names.benchmark],
    [/\b(?:BENCHMARK|ID)\b/g, names.benchmark],
    [/\bCASE\b|\bsession-service-0123456789ab\b/g, names.case],
    ['ComplexFuncBench.jsonl', 'benchmarks/complexfuncbench/sample'],
    [/\bFOLDER\b/g, 'benchmarks/stateeval-published/sample'],
    ['--published published.json', '--published datasets/wapiibench/published.json'],
    ['exe_…', names.execution],
    [/\bep_0123456789abcdef\w*/g, names.episode],
    ['wh_mkf4j2q10a7c1f2b', names.webhook],
    ['mkf4j2q10a7c1f2b', names.key],
    ['stateeval_…', names.secret],
    ['/path/to/stateeval', '.'],
    [/ …(?= )/g, ''],
    [/=(?:sk-)?…/g, '=placeholder'],
  ]
  for (const [name, value] of pairs) script = script.replaceAll(name, value)
  return script
}
