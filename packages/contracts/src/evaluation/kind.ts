/** The description of a kind of benchmark: the options of evaluations of its sets. */
import Type, { type Static } from 'typebox'
import { defineRecord } from '../basics/record.ts'
import { DialogueLimits } from '../dialogue-limits.ts'
import { Language } from '../execution.ts'
import { ScenarioOption } from '../generation.ts'
import { DocumentationName, PromptingName } from './options.ts'

const Names = Type.Array(Type.String())

export const BenchmarkKind = Type.Object(
  {
    kind: Type.String(),
    title: Type.String(),
    version: Type.String(),
    policies: Type.Array(Type.String(), {
      description: 'Policies that judge answers; the first one is the default',
    }),
    verdicts: Names,
    promptings: Type.Array(PromptingName, {
      description: 'Ways to prompt a model; the first one is the default',
    }),
    documentation: DocumentationName,
    languages: Type.Array(Language, {
      description: 'Languages of its programs, the default first; empty if it has no programs',
    }),
    setups: Type.Array(Type.String(), {
      description: 'Ways to present a task; the first is the default',
    }),
    layouts: Type.Array(Type.String(), {
      description: 'Kinds of models that prompts are formatted for; the first is the default',
    }),
    settings: Type.Array(Type.String(), { description: 'Named generation settings' }),
    limits: Type.Optional(
      Type.Object(DialogueLimits.properties, {
        additionalProperties: false,
        description: 'Default limits of a dialogue; absent if the benchmark has no dialogues',
      }),
    ),
    rootCauses: Type.Array(Type.String(), {
      description: 'Root causes of failures, in the order of reports; empty if the kind names none',
    }),
    scenarios: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          title: Type.String(),
          options: Type.Optional(
            defineRecord(ScenarioOption, { description: 'What `build.scenarioOptions` may set, by name' }),
          ),
        },
        { additionalProperties: false },
      ),
      { description: 'Scenarios that its sets are built from; empty if they are not built from programs' },
    ),
    writing: Type.Boolean({
      description: 'Whether a model can write its tasks for a specification',
    }),
    help: defineRecord(Type.String(), { description: 'Help texts of its options, by name' }),
  },
  { additionalProperties: false },
)
export type BenchmarkKind = Static<typeof BenchmarkKind>
