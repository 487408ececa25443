declare module 'virtual:contract' {
  /** At run time each has its method and path alone. */
  export const operations: typeof import('@stateeval/contracts').evaluationOperations
  export const evaluationOptions: Readonly<Record<string, OptionSchema>>

  export const buildOptions: Readonly<Record<string, OptionSchema>>
  export const agentOptions: Readonly<Record<string, OptionSchema>>
  /** Whether the application is inside a file with its data, which no service serves. */
  export const inFile: boolean

  /** What the contract says of an option. */
  export interface OptionSchema {
    type?: string
    description?: string
    default?: unknown
    minimum?: number
    maximum?: number
    anyOf?: readonly { const?: string; type?: string }[]
    properties?: Readonly<Record<string, OptionSchema>>
  }
}
declare module '*.css'
