/** A cursor that counts from 0. */
export const placeOf = (cursor: string | undefined): number => Number(cursor ?? 0)
