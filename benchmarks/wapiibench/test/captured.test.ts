/**
 * Whatever a program makes of its requests, its answer is judged: a request that no judge could read would
 * leave the rate.
 */
import { beforeAll, expect, test } from '@jest/globals'
import {
  type Candidate,
  CapturedRequest,
  findSchemaFault,
  type JsonValue,
  type Observation,
} from '@stateeval/contracts'
import { pickForRun } from '@stateeval/testkit'
import fc from 'fast-check'
import { conformance } from '../conformance.ts'
import { candidateOf } from './drive.ts'
import { sampleBenchmark, sampleCases, sampleFiles } from './sample.ts'

/** Names that every object has, and values that String() and Number() refuse. */
const oddName = fc.constantFrom('toString', 'valueOf', 'constructor', '__proto__', 'length', 'a[b]', 'a[]')
const { value: oddJson } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<JsonValue>(null, true, 0, -9223372036854775809, '', 'x=1&a[b]=2', '\ud800', '{"a":1}'),
    oddName,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      oddName.filter((name) => name !== '__proto__'),
      tie('value'),
      { maxKeys: 3 },
    ),
  ),
}))

const [c] = sampleCases as [(typeof sampleCases)[number]]
const { config } = c.task
const url = fc.constantFrom(config.url, `${config.url}?constructor=1&a[b]=2`, 'https://x@[', '%E0', '//')
const request = fc
  .record(
    {
      method: fc.constantFrom(config.method, 'constructor', ''),
      url,
      baseURL: url,
      uri: url,
      headers: fc.dictionary(
        fc.constantFrom('Cookie', 'Content-Type', 'Authorization', 'constructor'),
        oddJson,
      ),
      params: oddJson,
      serialized: fc.constant(true),
      data: fc.oneof(oddJson, fc.array(fc.tuple(oddJson, oddJson, oddJson))),
      dataType: fc.constantFrom('FormData', 'form-data', 'string', 'object'),
      auth: oddJson,
    },
    { requiredKeys: ['method', 'headers'] },
  )
  .filter((value) => !findSchemaFault(CapturedRequest, value))

let candidate: Candidate
beforeAll(async () => {
  const code = `\`\`\`js\nconst axios = require('axios')\naxios.get('${config.url}')\n\`\`\``
  candidate = await candidateOf(sampleBenchmark, c, code)
})
const withRequests = (requests: JsonValue[]): Observation => {
  const observation = candidate.runs[0]!.observations[0]!
  return { ...observation, world: { ...observation.world!, state: { requests } } }
}

test('both policies and the check of a specification read every request that a jail may report', () => {
  const specification = sampleFiles()['specs/library.yaml']!
  fc.assert(
    fc.property(fc.array(request, { minLength: 1, maxLength: 2 }), (requests) => {
      const observation = withRequests(requests)
      const runs = candidate.runs.map((run) => ({ ...run, observations: [observation] }))
      const { policies } = sampleBenchmark.score({ case: c, candidate: { ...candidate, runs } })
      expect(Object.values(policies!).map(({ passed }) => typeof passed)).not.toContain('object')
      expect(conformance(specification, {}, [observation])[0]!.requests).toHaveLength(requests.length)
    }),
    { numRuns: pickForRun(300, 20_000), seed: 1 },
  )
})
