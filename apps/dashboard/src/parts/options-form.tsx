/** A form of options. Its fields are read by name when it is submitted. */
import type { ReactNode } from 'react'
import { Failure } from './states.tsx'

interface OptionsFormProps {
  /** Label of the button. */
  action: string
  /** The request that the form sends. */
  sending: { isPending: boolean; error: Error | null }
  onSubmit: (values: ReadonlyMap<string, string>) => void
  children: ReactNode
}

export const OptionsForm = ({ action, sending, onSubmit, children }: OptionsFormProps) => (
  <form
    className="options-form"
    onSubmit={(event) => {
      event.preventDefault()
      const values = [...new FormData(event.currentTarget)]
      onSubmit(new Map(values.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))))
    }}
  >
    {children}
    <button type="submit" className="primary" disabled={sending.isPending}>
      {action}
    </button>
    {sending.error && <Failure error={sending.error} />}
  </form>
)
