/** Bodies that are accepted. */
import type { WorldType } from '../../model.ts'
import type { LiveAnswer } from '../../request.ts'
import type { ProbeContext } from './context.ts'

const mostTries = 14

/** Finds a body that is accepted: the required fields, then those that refusals name. */
export async function makeFirst(probe: ProbeContext, name: string): Promise<void> {
  const type = probe.model.types[name]
  if (!type) return
  if (!probe.findCreator(name)) return probe.dropType(name, 'nothing creates it')
  if (probe.getAbove(name) === null) return probe.dropType(name, 'nothing above it could be made')
  inventFields(type)
  const { fields, identity, place = [] } = type
  const usable = Object.keys(fields).filter((key) => !place.includes(key))
  probe.bodies.set(
    name,
    usable.filter((key) => fields[key]!.required && key !== identity.field),
  )
  let answer: LiveAnswer | undefined
  for (let tries = 0; tries < mostTries; tries++) {
    const made = await probe.create(name, probe.drawBody(name))
    if ('id' in made) {
      probe.made.set(name, made)
      return
    }
    if (made.status === 0) return probe.dropType(name, 'the answer to its creation shows no identity')
    answer = made
    const chosen = probe.bodies.get(name)!
    const optional = usable.filter((key) => !chosen.includes(key) && key !== identity.field)
    const next =
      optional.find((key) => hasWord(made.text, key)) ??
      optional.find((key) => /^(?:name|title|email|currency|amount|type)$/.test(key) && tries > 0)
    if (next === undefined) break
    chosen.push(next)
  }
  probe.dropType(name, `no body was accepted: ${answer?.status ?? 0} ${answer?.text.slice(0, 150) ?? ''}`)
}

/** Types that take any member get some to write. */
function inventFields(type: WorldType) {
  const plain = Object.entries(type.fields).filter(
    ([key, { type: kind }]) => kind !== 'object' && key !== type.identity.field,
  )
  if (plain.length > 0) return
  Object.assign(type.fields, {
    title: { type: 'string' },
    count: { type: 'integer' },
    done: { type: 'boolean' },
  })
}

const hasWord = (text: string, word: string) => text.split(/[^A-Za-z0-9_]+/).includes(word)
