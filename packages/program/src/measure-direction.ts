/** Which way measures of reports are better. A kind declares it by the beginnings of their names. */

/** `neither`: it describes a set or a run, or counts what no model decides. */
export type MeasureDirection = 'higher' | 'lower' | 'neither'
export type MeasureDirections = Readonly<Record<string, MeasureDirection>>

/** The direction that the longest declared beginning of a measure's name has; null where none is declared. */
export function findMeasureDirection(directions: MeasureDirections, name: string): MeasureDirection | null {
  const [longest] = Object.keys(directions)
    .filter((beginning) => name.startsWith(beginning))
    .sort((a, b) => b.length - a.length)
  return longest === undefined ? null : directions[longest]!
}
