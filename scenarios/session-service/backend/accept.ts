/** Tells whether a client that sends this Accept header takes JSON. */
export function acceptsJson(accept: string | undefined): boolean {
  if (!accept?.trim()) return true
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const refused = parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter))
    return !refused && /^(?:\*\/\*|application\/(?:\*|json|\*?\+json|[\w.-]+\+json))$/.test(type)
  })
}
