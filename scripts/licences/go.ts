/** Go modules and their licences, as texts tell: Go's manifests name none. */

/** The modules that a go.mod requires, indirect ones included. */
export function goModules(module: string): { name: string; version: string }[] {
  return module.split('\n').flatMap((line) => {
    const [name, version, ...rest] = line
      .replace(/^require\b/, '')
      .trim()
      .split(/\s+/)
    const isRequirement =
      name?.includes('.') && version?.startsWith('v') && (!rest.length || rest[0] === '//')
    return isRequirement ? [{ name: name!, version: version! }] : []
  })
}

/** Phrases that every copy of a licence holds, the more particular one first. */
const phrases: readonly (readonly [licence: string, phrase: string])[] = [
  // It speaks of GNU's licences, too.
  ['MPL-2.0', 'mozilla public license version 2.0'],
  ['MPL-2.0', 'mozilla public license, version 2.0'],
  ['AGPL-3.0', 'gnu affero general public license'],
  ['LGPL-3.0', 'gnu lesser general public license'],
  ['GPL-3.0', 'gnu general public license'],
  ['Apache-2.0', 'apache license version 2.0'],
  ['BSD-3-Clause', 'used to endorse or promote products derived from this software'],
  ['BSD-2-Clause', 'redistribution and use in source and binary forms, with or without modification'],
  ['MIT', 'permission is hereby granted, free of charge, to any person obtaining a copy'],
  ['ISC', 'permission to use, copy, modify, and/or distribute this software for any purpose'],
  ['ISC', 'permission to use, copy, modify, and distribute this software for any purpose'],
]

/** SPDX's name of the licence that a text is; null where it is none that is known here. */
export function licenceOf(text: string): string | null {
  const words = text.toLowerCase().replace(/\s+/g, ' ')
  return phrases.find(([, phrase]) => words.includes(phrase))?.[0] ?? null
}
