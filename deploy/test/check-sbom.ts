/**
 * Fails where an image's bill of materials lacks something, or one of its npm packages has a licence that is
 * not allowed.
 *
 *   node deploy/test/check-sbom.ts IMAGE sbom.cdx.json
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { isAllowed, shippedLicences } from '../../scripts/licences/allowed.ts'

type Licence = { license: { id?: string; name?: string } } | { expression: string }
interface Bill {
  bomFormat: string
  specVersion: string
  components: { name: string; version: string; purl: string; 'bom-ref': string; licenses?: Licence[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
  metadata: { component: { 'bom-ref': string } }
}

const [image = '', file = ''] = process.argv.slice(2)
const bill = JSON.parse(readFileSync(file, 'utf8')) as Bill
assert.equal(bill.bomFormat, 'CycloneDX')
assert.match(bill.specVersion, /^1\.\d$/)
const references = [bill.metadata.component['bom-ref'], ...bill.components.map((one) => one['bom-ref'])]
assert.equal(new Set(references).size, references.length)
for (const { ref, dependsOn } of bill.dependencies)
  for (const one of [ref, ...dependsOn]) assert.ok(references.includes(one), `${one} is not listed`)

const of = (type: string) => bill.components.filter(({ purl }) => purl.startsWith(`pkg:${type}/`))
const expression = (licence: Licence) =>
  'expression' in licence ? licence.expression : (licence.license.id ?? licence.license.name ?? '')
for (const { name, licenses = [] } of of('npm')) {
  assert.ok(licenses.length > 0, `${name} names no licence`)
  for (const one of licenses)
    assert.ok(
      isAllowed(expression(one), shippedLicences),
      `${name} is ${expression(one)}, which is not allowed`,
    )
}
assert.equal(of('generic').filter(({ name }) => name === 'node').length, 1)
const names = new Set(bill.components.map(({ name }) => name))
for (const needed of [
  'mongodb',
  'nats',
  'fastify',
  'libc6',
  ...(image.startsWith('execution') ? ['bubblewrap'] : []),
])
  assert.ok(names.has(needed), `${needed} is not listed`)
console.log(
  `${image}: ${of('npm').length} npm packages, ${of('deb').length} of the distribution, licences allowed`,
)
