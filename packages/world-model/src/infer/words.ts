/** Words of names: how they are split, their singular, and what a verb says of an operation. */

/** Lower-case words of a name in any case: `listUserIDs`, `list-user-ids`. */
export const splitName = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
export const toSnake = (name: string) => splitName(name).join('_')

const irregular: ReadonlyMap<string, string> = new Map(
  Object.entries({
    people: 'person',
    children: 'child',
    indices: 'index',
    indexes: 'index',
    vertices: 'vertex',
    statuses: 'status',
    aliases: 'alias',
    analyses: 'analysis',
    viruses: 'virus',
    bonuses: 'bonus',
    movies: 'movie',
    cookies: 'cookie',
    caches: 'cache',
    data: 'data',
    media: 'media',
    series: 'series',
    species: 'species',
    news: 'news',
    gas: 'gas',
  }),
)
const samePlural = new Set(['data', 'media', 'series', 'species', 'news'])

/** The singular of a word in lower case, by rules that hold for names of resources. */
export function singularise(word: string): string {
  const lower = word.toLowerCase()
  const known = irregular.get(lower)
  if (known !== undefined) return known
  if (/ies$/.test(lower) && lower.length > 4) return `${lower.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|zz)es$/.test(lower)) return lower.slice(0, -2)
  return /[^su]s$/.test(lower) ? lower.slice(0, -1) : lower
}
export const isPlural = (word: string) =>
  singularise(word) !== word.toLowerCase() || samePlural.has(word.toLowerCase())
/** A name in snake case whose last word is singular. */
export function singulariseName(name: string): string {
  const words = splitName(name)
  return words.map((word, at) => (at === words.length - 1 ? singularise(word) : word)).join('_')
}

const verbs = {
  search: 'search find query lookup filter autocomplete',
  list: 'list index all',
  read: 'get read retrieve fetch show view describe info download check status count export preview',
  create:
    'create add new post insert open upload register issue generate import clone duplicate copy provision request invite submit',
  update: 'update edit set modify patch rename change replace put upsert',
  delete: 'delete remove destroy purge clear',
  link: 'assign attach join follow subscribe star pin connect associate link',
  unlink: 'unassign detach leave unfollow unsubscribe unstar unpin disconnect disassociate unlink',
  action:
    'cancel close approve reject confirm capture send finalize pay void start stop pause resume archive unarchive restore enable disable activate deactivate verify validate reset refresh rotate lock unlock merge move publish unpublish accept decline transfer complete trigger run execute redact instantiate crosspost revoke expire retry rerun redeliver ping test calculate exchange simulate fire dismiss resend reopen apply skip next previous swap invalidate suspend reactivate remind batch convert authorize reauthorize sign login logout play mark acknowledge increment attempt advance fail fund return reverse deliver ship report respond migrate mint unmute mute block unblock render tokenize process redeem evaluate sync',
} as const
export type VerbKind = keyof typeof verbs

const kinds: ReadonlyMap<string, VerbKind> = new Map(
  Object.entries(verbs).flatMap(([kind, words]) =>
    words.split(' ').map((word) => [word, kind as VerbKind] as const),
  ),
)
export const getVerbKind = (word: string | undefined): VerbKind | undefined =>
  word === undefined ? undefined : kinds.get(word.toLowerCase())
