/**
 * Checks whether a text or number has a format that OpenAPI names. Formats that are not in the table are
 * free.
 */
const day = String.raw`(\d{4})-(\d{2})-(\d{2})`
const clock = String.raw`([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?`
const zone = String.raw`([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)`
const createMatcher = (source: string) => {
  const pattern = new RegExp(`^(?:${source})$`)
  return (text: string) => pattern.test(text)
}
const isDay = (text: string) => {
  const match = new RegExp(`^${day}`).exec(text)
  if (!match) return false
  const [year, month, date] = match.slice(1, 4).map(Number) as [number, number, number]
  return month >= 1 && month <= 12 && date >= 1 && date <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}
const byte = '(25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const isAddress = (text: string) => URL.canParse(text) && /^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)
const createWholeCheck = (low: bigint, high: bigint) => (text: string) =>
  /^-?\d{1,20}$/.test(text) && BigInt(text) >= low && BigInt(text) <= high

/** Formats by name: the test of a value written as text, and an example that a diagnosis shows. */
export const formats: Readonly<Record<string, { fits: (text: string) => boolean; example: string }>> = {
  date: { fits: (text) => createMatcher(day)(text) && isDay(text), example: '2026-03-31' },
  'date-time': {
    fits: (text) => createMatcher(`${day}[Tt]${clock}${zone}`)(text) && isDay(text),
    example: '2026-03-31T09:30:00Z',
  },
  time: { fits: createMatcher(`${clock}${zone}?`), example: '09:30:00Z' },
  email: { fits: createMatcher(String.raw`[^\s@]+@[^\s@.]+(\.[^\s@.]+)*`), example: 'kim@example.com' },
  uuid: {
    fits: createMatcher('[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}'),
    example: '123e4567-e89b-12d3-a456-426614174000',
  },
  uri: { fits: isAddress, example: 'https://example.com/a' },
  url: { fits: isAddress, example: 'https://example.com/a' },
  ipv4: { fits: createMatcher(`${byte}(\\.${byte}){3}`), example: '192.0.2.1' },
  ipv6: { fits: (text) => URL.canParse(`http://[${text}]/`), example: '2001:db8::1' },
  hostname: {
    fits: createMatcher('[A-Za-z0-9]([A-Za-z0-9-]{0,62})(\\.[A-Za-z0-9][A-Za-z0-9-]{0,62})*'),
    example: 'example.com',
  },
  byte: { fits: createMatcher('[A-Za-z0-9+/_-]*={0,2}'), example: 'aGVsbG8=' },
  int32: { fits: createWholeCheck(-(2n ** 31n), 2n ** 31n - 1n), example: '42' },
  int64: { fits: createWholeCheck(-(2n ** 63n), 2n ** 63n - 1n), example: '42' },
  uint32: { fits: createWholeCheck(0n, 2n ** 32n - 1n), example: '42' },
  uint64: { fits: createWholeCheck(0n, 2n ** 64n - 1n), example: '42' },
}
