/** What each group of operations is about, as documentation pages show it. */
export const tagDescriptions: Record<string, string> = {
  access: 'API keys, projects, and who asks.',
  audit: 'Who changed what, when, from where, and how it ended.',
  benchmarks: 'Versioned sets of test cases: built, imported, exported, reviewed.',
  'dead-letters': 'Jobs that were given up after all attempts: listed, read, queued again.',
  evaluations: 'A benchmark, a model, and what came of it; resumable.',
  executions: 'Sandboxed runs of code on inputs, and what was observed.',
  generations: 'Programs generated from a scenario, and how much of it they cover.',
  models: 'Named OpenAI-compatible endpoints, and the built-in models.',
  programs: 'What can be read off a program: its code in a language, its static metrics.',
  runtime: 'What this installation can run: languages, worlds, isolation, limits.',
  scenarios: 'API worlds modelled as state machines.',
  scores: 'Verdicts, metrics and evidence for candidates.',
  sessions: 'Worlds that stay open over the calls of a dialogue.',
  statistics: 'pass@k, intervals and paired tests.',
  translations: 'Programs as verified instructions in English.',
  webhooks: 'Receivers of signed CloudEvents about evaluations and benchmarks.',
}
