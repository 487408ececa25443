/** Names of tensors from what they are made of. */
import type { TensorName } from './state.ts'

/**
 * A name of what a tensor is made of: 53 bits of two sums of 32. Programs have hundreds of tensors, not
 * millions; to spell it out takes longer than all else that a call does.
 */
export class NameDigest {
  private a = 0xdeadbeef
  private b = 0x41c6ce57

  constructor(kind: string) {
    this.text(kind)
  }
  private text(text: string): void {
    for (let at = 0; at < text.length; at++) this.number(text.charCodeAt(at))
    this.number(-1)
  }
  /** A whole number of at most 32 bits. */
  number(number: number): this {
    this.a = Math.imul(this.a ^ number, 2654435761)
    this.b = Math.imul(this.b ^ number, 1597334677)
    // Low bits learn of high ones, which alone change with high bits.
    this.a ^= this.a >>> 15
    this.b ^= this.b >>> 13
    return this
  }
  name(name: TensorName): this {
    if (typeof name === 'string') this.text(name)
    else this.number(name % 0x100000000).number(name / 0x100000000)
    return this
  }
  end(): number {
    let { a, b } = this
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
    return (b >>> 11) * 0x100000000 + (a >>> 0)
  }
}
