/** Heads of columns, in order. `numbers`: names of numeric columns, which are right-aligned. */
export const Heads = ({ of, numbers }: { of: readonly string[]; numbers?: boolean }) =>
  of.map((head) => (
    <th scope="col" {...(numbers && { className: 'n' })} key={head}>
      {head}
    </th>
  ))
