/** What the call that was just told gave, whatever it was. */
export const just = ['the result', 'that result']
