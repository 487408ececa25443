/** Text operations next to candidate code, with builtins saved before that code ran. */
/* eslint-disable @typescript-eslint/unbound-method -- called by apply */
const { indexOf, slice, trim } = String.prototype
const { exec } = RegExp.prototype
/* eslint-enable @typescript-eslint/unbound-method */
const { apply } = Reflect

export const cutTo = (text: string, length: number): string => apply(slice, text, [0, length])
export const trimText = (text: string): string => apply(trim, text, [])
export const matchText = (pattern: RegExp, text: string): RegExpExecArray | null =>
  apply(exec, pattern, [text])

/** Calls `each` with one line after another, until it returns true. */
export function findLine(text: string, each: (line: string) => boolean) {
  for (let from = 0; from >= 0;) {
    const end: number = apply(indexOf, text, ['\n', from])
    const isEnough = each(apply(slice, text, end < 0 ? [from] : [from, end]))
    from = end < 0 || isEnough ? -1 : end + 1
  }
}
