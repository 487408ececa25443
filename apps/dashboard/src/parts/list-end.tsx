/** The end of a list that is longer than a view reads. */
import { mostListed } from '../data/queries.ts'
import { count } from '../pure/format.ts'

/** `what`: the plural of the entries, which stand in the order of the service's list. */
export const ListEnd = ({ of, what }: { of: readonly unknown[]; what: string }) =>
  of.length >= mostListed && (
    <p className="note">
      Only the first {count(mostListed)} {what} are loaded; later ones are missing in this view. The command
      line and the API list all of them.
    </p>
  )
