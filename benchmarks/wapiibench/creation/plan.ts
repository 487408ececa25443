/** The plan of a build, before a model is asked: endpoints with their arguments, and prompts by length. */
import type { TaskPlan } from '@stateeval/program'
import type { SpecifiedOperation } from '../specification/types.ts'
import type { SpecifiedApi, EndpointTarget } from './api.ts'
import { estimatePromptLength } from './subset.ts'

/** Names of a body that are listed. */
const maxNames = 100

export function buildPlan(
  api: SpecifiedApi,
  parts: readonly (readonly EndpointTarget[])[],
  { longest, texts }: { longest: number; texts: Readonly<Record<string, string>> },
): TaskPlan {
  const text = texts['tasks'] ?? ''
  const byTemplate = new Map(api.endpoints.specification.paths.map((path) => [path.template, path]))
  const lengths = parts.map((part) => text.length + estimatePromptLength(api, part, { longest }))
  return {
    endpoints: api.targets.map((target) =>
      describeTarget(byTemplate.get(target.template)?.operations[target.method], target),
    ),
    promptCharacters: lengths.reduce((sum, length) => sum + length, 0),
  }
}

function describeTarget(
  operation: SpecifiedOperation | undefined,
  target: EndpointTarget,
): TaskPlan['endpoints'][number] {
  if (!operation) return {}
  const inPlace = (place: string) => [
    ...new Set(operation.parameters.filter((one) => one.in === place).map(({ name }) => name)),
  ]
  const ways = target.security.map((all) =>
    all.map(({ in: place, name }) => `${place} ${name}`).join(' and '),
  )
  return {
    arguments: {
      path: inPlace('path'),
      query: inPlace('query'),
      header: inPlace('header'),
      cookie: inPlace('cookie'),
      body: (operation.body?.properties ?? []).slice(0, maxNames).map(({ name }) => name),
    },
    security: [...new Set(ways.map((way) => way || 'none'))],
  }
}
