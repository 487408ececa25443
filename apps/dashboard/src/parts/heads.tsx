/** Heads of columns, in their order. `numbers`: of columns of numbers, which stand at the right. */
export const Heads = ({ of, numbers }: { of: readonly string[]; numbers?: boolean }) =>
  of.map((head) => (
    <th scope="col" {...(numbers && { className: 'n' })} key={head}>
      {head}
    </th>
  ))
