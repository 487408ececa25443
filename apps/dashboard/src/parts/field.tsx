/** An option of a form, with its description. */
import { splitWords } from '@stateeval/program/format'
import { useId } from 'react'
import type { OptionField } from '../pure/options.ts'

export function Field({ field, onChange }: { field: OptionField; onChange?: (value: string) => void }) {
  const { name, help, choices, number, usual } = field
  const id = useId()
  const described = { id, name, 'aria-describedby': `${id}-help` }
  return (
    <div className="field">
      <label htmlFor={id}>{splitWords(name.split('.').join(' '))}</label>
      {choices ? (
        <select {...described} defaultValue={usual} onChange={({ target }) => onChange?.(target.value)}>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice || 'none'}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...described}
          placeholder={usual}
          {...(number && {
            type: 'number',
            min: number.min,
            max: number.max,
            step: number.whole ? 1 : 'any',
          })}
        />
      )}
      <small id={`${id}-help`}>{help}</small>
    </div>
  )
}
