/** NESTFUL at the command line: its data, its options. */
import type { Presentation } from '@stateeval/program/presentation'

const presentation: Presentation = {
  kind: 'nestful',
  dataset: {
    folders: ['v1/executable', 'v1/non-executable', 'v2'],
    file: /^(executable|non-executable-\w+)-(data|spec)\.json$|^nestful_data[\w-]*\.jsonl?$|^icl_examples\.json$/,
  },
  options: {
    setup: 'three-shot, one-shot, zero-shot or tools (three-shot)',
    layout: 'the model family whose format and parser are taken (llama)',
    settings: 'published',
    timeLimit: '10',
  },
}
export default presentation
