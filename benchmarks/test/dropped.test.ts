/**
 * Nothing of published data is dropped silently, for all kinds that import some: whatever an entry lacks or
 * has in excess, it is used, or the import names it, or refuses the data by file.
 */
import { expect, test } from '@jest/globals'
import { type JsonValue, ProblemError } from '@stateeval/contracts'
import type { DatasetSet } from '@stateeval/program'
import fc from 'fast-check'
import { conversations } from '../complexfuncbench/sample/index.ts'
import { importConversations } from '../complexfuncbench/dataset/from-dataset.ts'
import { importNestful } from '../nestful/dataset/from-dataset.ts'
import { sampleFiles as nestfulFiles } from '../nestful/test/sample.ts'
import { buildTaskSet } from '../wapiibench/dataset/from-dataset.ts'
import { library, sampleFiles as wapiiFiles } from '../wapiibench/test/sample.ts'
import { isLong } from '@stateeval/testkit/run-length'
import { byKind, publishedFiles } from './every-kind.ts'
import { change, listPlaces } from './places.ts'

type Files = Record<string, string>
const imports: Record<string, { files: Files; read: (files: Files) => DatasetSet }> = {
  complexfuncbench: { files: { 'some.jsonl': conversations }, read: importConversations },
  nestful: { files: nestfulFiles(), read: importNestful },
  wapiibench: { files: wapiiFiles(), read: (files) => buildTaskSet([library], files, 'made up') },
  'stateeval-published': {
    files: publishedFiles,
    read: (files) => byKind.get('stateeval-published')!.building!.fromDataset!(files),
  },
}

test('every kind that imports data is under the law', () => {
  const importing = [...byKind].flatMap(([kind, { building }]) => (building?.fromDataset ? [kind] : []))
  expect(Object.keys(imports).sort()).toEqual(importing.sort())
})

/**
 * Members that no prompt, no judgement and no run of a kind needs, each with the reason: another member says
 * the same, or it is about how the data was made.
 */
const unneeded: Record<string, readonly (readonly [place: RegExp, because: string])[]> = {
  complexfuncbench: [],
  nestful: [
    [/spec\.json \d+\.url$/, 'host and endpoint say it'],
    [/icl_examples\.json \d+\.gold_answer/, 'examples are shown by their calls, and not judged'],
    [/icl_examples\.json \d+\.tools/, 'examples are shown without tools; those of the case are shown'],
  ],
  wapiibench: [[/tasks\/library\.json (api|model)$/, 'the file’s name says it; who wrote the tasks']],
  'stateeval-published': [
    [/\bconfig(\.base_url)?$/, 'the address of the authors’ backend'],
    [/agent_data\.json .*(_messages\.|last_generator_output)/, 'what agents said to one another'],
    [/voice\.jsonl metadata_json$/, 'what the state oracle says, too'],
    [/program_info\.end_implict_list/, 'the state oracle says it'],
    [/program_info\.init_(local_info|load_info|load_str)/, 'the local text and the world say it'],
    [/tensor\/evaluator_\d\.json .*(init_local_str|init_implicit_dict|state_oracle)$/, 'null for tensors'],
    [/(init_implicit_dict|state_oracle|result)\b.*\.(id|checksum|source|type)$/, 'keys say it'],
  ],
}

/** The texts of a file that are values: its lines, or all of it. */
const isLines = (name: string) => name.endsWith('.jsonl')
const changes: readonly (JsonValue | undefined)[] = [undefined, null, 7, '', [], {}, 'another text']
/** All that an import gives: cases, files beside them, and warnings. */
const listOutcome = ({ lines, artifacts, warnings }: DatasetSet) =>
  JSON.stringify([lines, Object.keys(artifacts).sort(), warnings])

test.each(Object.entries(imports))('%s: a changed member is used or named', (kind, { files, read }) => {
  const before = listOutcome(read(files))
  const names = Object.keys(files).filter((name) => /\.jsonl?$/.test(name))
  let tried = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.nat(),
      fc.nat(),
      fc.constantFrom(...changes),
      (name, line, place, to) => {
        const texts = isLines(name) ? files[name]!.trimEnd().split('\n') : [files[name]!]
        const value = JSON.parse(texts[line % texts.length]!) as JsonValue
        const places = listPlaces(value)
        const path = places[place % places.length]!
        const changed = JSON.stringify(change(value, path, to))
        if (changed === JSON.stringify(value)) return
        tried++
        const where = `${name} ${path.join('.')} ${JSON.stringify(to)}`
        let after: DatasetSet
        try {
          after = read({ ...files, [name]: texts.with(line % texts.length, changed).join('\n') })
        } catch (error) {
          expect([where, String(error), error instanceof ProblemError]).toEqual([where, String(error), true])
          return
        }
        const { counts, filtered } = after.about
        expect([where, after.lines.length]).toEqual([where, counts.kept])
        const left = filtered.reduce((sum, { count }) => sum + count, 0)
        expect([where, counts.generated]).toEqual([where, counts.kept + left])
        const isKnown = unneeded[kind]!.some(([one]) => one.test(`${name} ${path.join('.')}`))
        expect([where, isKnown || listOutcome(after) !== before]).toEqual([where, true])
      },
    ),
    { numRuns: isLong ? 2000 : 60 },
  )
  expect(tried).toBeGreaterThan(0)
})
