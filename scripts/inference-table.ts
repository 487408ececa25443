/**
 * Prints what inference finds in the OpenAPI documents of a folder: node scripts/inference-table.ts FOLDER.
 * With --missing it lists the operations without a state effect, or with an id from nowhere.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDocument, readText } from '../packages/openapi/src/index.ts'
import { stateEffects } from '../packages/world-model/src/infer/effect.ts'
import { countInference, inferApi, type InferenceCounts } from '../packages/world-model/src/infer/infer.ts'

const [folder = ''] = process.argv.slice(2).filter((one) => !one.startsWith('--'))
const showsMissing = process.argv.includes('--missing')
const share = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)
const rows: [string, InferenceCounts][] = []
for (const file of readdirSync(folder).filter((name) => /\.(json|ya?ml)$/.test(name))) {
  try {
    const api = inferApi(openDocument(readText(readFileSync(join(folder, file), 'utf8'), file), file))
    rows.push([file, countInference(api)])
    if (!showsMissing) continue
    for (const { method, path, effect, reason, needs } of api.operations) {
      const lost = needs.filter((need) => need.in === 'path' && need.producers.length === 0 && !need.given)
      if (!stateEffects.has(effect)) console.log(`${file} ${method} ${path}: ${effect} (${reason})`)
      for (const { name } of lost) console.log(`${file} ${method} ${path}: {${name}} comes from nowhere`)
    }
  } catch (error) {
    console.log(`${file}: ${(error as Error).message.slice(0, 200)}`)
  }
}
const sum = (key: keyof InferenceCounts) => rows.reduce((total, [, counts]) => total + counts[key], 0)
const line = (name: string, get: (key: keyof InferenceCounts) => number) =>
  `| ${name} | ${get('operations')} | ${get('types')} | ${share(get('stateEffects'), get('operations'))} | ${share(get('producible'), get('withPathIds'))} |`
console.log(
  '| document | operations | types | state effects | producible path ids |\n| --- | --- | --- | --- | --- |',
)
for (const [name, counts] of rows) console.log(line(name, (key) => counts[key]))
console.log(line(`all ${rows.length}`, sum))
