/** Longer code is not parsed, as there are texts that take a parser seconds, and others wait. In UTF-16 units. */
export const mostParsed = 32_768
