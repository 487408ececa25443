/** Words for the output of the call that was stated last. */
export const just = ['the result', 'that result']
