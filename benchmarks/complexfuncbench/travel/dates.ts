/** Days and times as the API writes them: YYYY-MM-DD and HH:MM. */

const dayMs = 86_400_000
const pattern = /^(\d{4})-(\d{2})-(\d{2})$/

/** Days since 1970; null where the text is no date of the calendar. */
export function parseDay(date: string): number | null {
  const [, year, month, day] = pattern.exec(date) ?? []
  if (year === undefined) return null
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day))
  return formatDay(at / dayMs) === date ? at / dayMs : null
}
export const formatDay = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** Minutes since midnight; null where the text is no time. */
export function parseMinute(time: string): number | null {
  const [, hour, minute] = /^(\d{2}):(\d{2})$/.exec(time) ?? []
  const at = Number(hour) * 60 + Number(minute)
  return hour !== undefined && Number(hour) < 24 && Number(minute) < 60 ? at : null
}
export const formatTime = (minute: number): string =>
  `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

export const getWeekday = (day: number): string =>
  ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed'][((day % 7) + 7) % 7]!

const longestStay = 60

/**
 * The days of a stay, the last one being that of departure; or what is wrong with it, naming the parameters.
 */
export function readStay(
  from: string,
  to: string,
  [first, second]: readonly [string, string],
): { arrival: number; nights: number } | { fault: string } {
  const [arrival, departure] = [parseDay(from), parseDay(to)]
  if (arrival === null) return { fault: `${first} must be a date as YYYY-MM-DD` }
  if (departure === null) return { fault: `${second} must be a date as YYYY-MM-DD` }
  if (departure <= arrival) return { fault: `${second} must be after ${first}` }
  if (departure - arrival > longestStay)
    return { fault: `${second} must be at most ${longestStay} days after ${first}` }
  return { arrival, nights: departure - arrival }
}
