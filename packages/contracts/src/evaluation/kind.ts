/** A kind of benchmark, as it describes itself: what an evaluation of one of its sets may choose from. */
import Type, { type Static } from 'typebox'
import { recordOf } from '../basics/record.ts'
import { DialogueLimits } from '../dialogue-limits.ts'
import { Language } from '../execution.ts'
import { DocumentationName, PromptingName } from './options.ts'

const Names = Type.Array(Type.String())

export const BenchmarkKind = Type.Object(
  {
    kind: Type.String(),
    title: Type.String(),
    version: Type.String(),
    policies: Type.Array(Type.String(), { description: 'Ways to judge; the first is the default' }),
    verdicts: Names,
    promptings: Type.Array(PromptingName, { description: 'The first is the default' }),
    documentation: DocumentationName,
    languages: Type.Array(Language, {
      description: 'Of its programs, the default first; empty where it has none',
    }),
    setups: Type.Array(Type.String(), {
      description: 'Ways in which a task is put; the first is the default',
    }),
    layouts: Type.Array(Type.String(), {
      description: 'For which kinds of models prompts are laid out; the first is the default',
    }),
    settings: Type.Array(Type.String(), { description: 'Generation settings that have a name' }),
    limits: Type.Optional(
      Type.Object(DialogueLimits.properties, {
        additionalProperties: false,
        description: 'What a dialogue may take by default; absent where it leads none',
      }),
    ),
    rootCauses: Type.Array(Type.String(), {
      description: 'Of failures, in the order in which reports show them; empty where it names none',
    }),
    help: recordOf(Type.String(), { description: 'What it says of its options, by their names' }),
  },
  { additionalProperties: false },
)
export type BenchmarkKind = Static<typeof BenchmarkKind>
