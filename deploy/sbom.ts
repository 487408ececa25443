/**
 * Prints the bill of materials of the image that it runs in (CycloneDX, JSON): what `npm sbom` lists, Node,
 * and the distribution's packages with the licences that their copyright files name. The same image gives the
 * same bytes.
 *
 *   node sbom.ts IMAGE packages.cdx.json
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

interface Component {
  type: string
  name: string
  version: string
  purl: string
  'bom-ref': string
  licenses?: ({ license: { id: string } | { name: string } } | { expression: string })[]
}
interface Bill {
  serialNumber?: string
  metadata: { timestamp?: string; component: { 'bom-ref': string } } & Record<string, unknown>
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

const [image = '', file = ''] = process.argv.slice(2)
const bill = JSON.parse(readFileSync(file, 'utf8')) as Bill
delete bill.serialNumber
delete bill.metadata.timestamp

const component = (
  type: string,
  purl: string,
  { name, version, licences }: { name: string; version: string; licences: string[] },
): Component => ({
  type,
  name,
  version,
  purl,
  'bom-ref': purl,
  ...(licences.length > 0 && { licenses: licences.map((licence) => ({ license: { name: licence } })) }),
})

/** Short names of a package's licences, where its copyright file is written for machines; else none. */
function licencesOf(name: string): string[] {
  const copyright = `/usr/share/doc/${name}/copyright`
  if (!existsSync(copyright)) return []
  const lines = readFileSync(copyright, 'utf8').split('\n')
  const names = lines.flatMap((line) => (line.startsWith('License: ') ? [line.slice(9).trim()] : []))
  return [...new Set(names)].sort()
}

function distributionPackages(): Component[] {
  const format = '${Package}\t${Version}\t${Architecture}\n'
  const { status, stdout } = spawnSync('dpkg-query', ['-W', '-f', format], { encoding: 'utf8' })
  if (status !== 0) return []
  const distribution = /^ID="?([a-z]+)"?$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'debian'
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', version = '', architecture = ''] = line.split('\t')
      const purl = `pkg:deb/${distribution}/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}`
      return component('library', purl, { name, version, licences: licencesOf(name) })
    })
}

const version = process.version.slice(1)
const node = component('platform', `pkg:generic/node@${version}`, {
  name: 'node',
  version,
  licences: ['MIT'],
})
// The lock file's Node is for checkouts; images have their base's Node.
const isHere = (ref: string) => !ref.startsWith('node-linux-')
const { 'bom-ref': root } = bill.metadata.component
const described = { type: 'container', name: `stateeval/${image}`, 'bom-ref': root }
const listed = bill.components.filter((one) => isHere(one['bom-ref']))
const dependencies = bill.dependencies
  .filter(({ ref }) => isHere(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isHere) }))
const whole = {
  ...bill,
  metadata: { ...bill.metadata, component: described },
  components: [...listed, node, ...distributionPackages()],
  dependencies,
}
console.log(JSON.stringify(whole, null, 1))
