declare module 'virtual:contract' {
  /** At run time, each operation has only its method and path. */
  export const operations: typeof import('@stateeval/contracts').evaluationOperations
  export const evaluationOptions: Readonly<Record<string, OptionSchema>>

  export const buildOptions: Readonly<Record<string, OptionSchema>>
  export const agentOptions: Readonly<Record<string, OptionSchema>>
  /** True if the application is in a file with its data, without a service. */
  export const inFile: boolean

  /** The contract's schema of an option. */
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
