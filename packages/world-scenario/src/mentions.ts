/** Wordings of what a call gave. */
import type { CallPhrase } from '@stateeval/program'
import type { OperationPlan } from './plan.ts'

/** An answer that shows items is called after them; others are the answer to the call. */
export function sayAnswer(form: OperationPlan, called: string): Partial<CallPhrase> {
  const { is, at, told, only } = form.operation.answer
  if (is === 'none') return {}
  const isShown = told === undefined && only === undefined
  const shown = sayShown(form, called)
  return {
    ...(at && { at }),
    output:
      isShown && !at
        ? shown
        : {
            any: [`the answer to {which} ${called}`],
            returned: [`the answer returned by {which} ${called}`],
          },
    ...(isShown && at && { shown }),
    ...(is === 'list' && sayElements(form, called)),
  }
}

const sayShown = ({ type, operation }: OperationPlan, called: string): CallPhrase['shown'] & {} => {
  const what = operation.answer.is === 'list' ? type.plural : type.noun
  return {
    any: [`the ${what} of {which} ${called}`],
    returned: [`the ${what} as returned by {which} ${called}`],
  }
}

const sayElements = ({ type }: OperationPlan, answer: string): Pick<CallPhrase, 'item' | 'count'> => ({
  item: {
    any: [`the {nth} ${type.noun} of {which} ${answer}`],
    returned: [`the {nth} ${type.noun} as returned by {which} ${answer}`],
  },
  count: {
    any: [`the number of ${type.plural} in {which} ${answer}`],
    returned: [`the number of ${type.plural} as returned by {which} ${answer}`],
  },
})

export const sayThing = (
  { type, operation, place }: OperationPlan,
  suffix: string,
): CallPhrase['thing'] & {} => ({
  any: [`{which} new ${type.noun}${suffix}`],
  just: [`the ${type.noun} you just added${suffix}`],
  sole: [`the added ${type.noun}${suffix}`],
  parts: {
    [type.identity.field]: { output: [...(operation.answer.at ?? []), type.identity.field] },
    ...Object.fromEntries(place.map((name) => [name, { argument: name }])),
  },
})
