/** How many rows there are over all pages, beside a title; nothing until it is known. */
export function Total({ of: count }: { of: number | undefined }) {
  return count === undefined ? null : <span className="wr-muted">{count.toLocaleString()} total</span>
}
