/** Lines of code with indentation. */
export class CodeText {
  private readonly lines: string[] = []
  private depth = 0
  private readonly unit: string
  constructor(unit: string) {
    this.unit = unit
  }
  push(line: string) {
    this.lines.push(line === '' ? '' : this.unit.repeat(this.depth) + line)
    return this
  }
  indent() {
    this.depth++
    return this
  }
  outdent() {
    this.depth--
    return this
  }
  toString() {
    return `${this.lines.join('\n')}\n`
  }
}
