/** Media types, as far as they distinguish bodies of requests. */

export const isJson = (media: string) => /^application\/([\w.-]+\+)?json\b/i.test(media.trim())

const families: readonly (readonly [family: string, pattern: RegExp])[] = [
  ['JSON', /^(application|text)\/([\w.-]+\+)?json$/],
  ['a form', /^application\/x-www-form-urlencoded$/],
  ['a multipart form', /^multipart\//],
  ['XML', /^(application|text)\/([\w.-]+\+)?xml$/],
  ['text', /^text\//],
]

/** Media types that one body can be of: all of JSON, all multipart forms; others are their own. */
export function getMediaFamily(media: string): string {
  const plain = media.split(';')[0]!.trim().toLowerCase()
  return families.find(([, pattern]) => pattern.test(plain))?.[0] ?? plain
}

/**
 * Tells whether a body of this family is of the media type, which may be a range such as any type of text.
 */
export function isOfMedia(family: string, media: string): boolean {
  const other = getMediaFamily(media)
  if (other === family || other === '*/*') return true
  const [kind, subtype] = other.split('/')
  return subtype === '*' && (family.startsWith(`${kind}/`) || (kind === 'application' && family === 'JSON'))
}
