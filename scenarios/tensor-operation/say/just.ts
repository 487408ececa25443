/** Words for the output of the last call, whatever it was. */
export const just = ['the result', 'that result']
