/**
 * The row of a query that always has one: an aggregate, or an insert that returns what it made.
 *
 * @throws Error when there is none, which is a bug of ours
 */
export function onlyRow<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('a query that always has a row had none')
  return row
}
