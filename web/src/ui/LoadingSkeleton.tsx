interface LoadingSkeletonProps {
  /** Rows of the table that will stand here. */
  rows?: number
  label?: string
}

/** Widths in percent that repeat down the rows: real text is ragged too. */
const WIDTHS = [64, 48, 72, 56, 40, 68]

/**
 * The shape of a table that is being loaded. Appears after 150 ms (by style sheet), so that a quick answer shows
 * nothing but itself; never used for a refetch.
 */
export function LoadingSkeleton({ rows = 8, label = 'Loading' }: LoadingSkeletonProps) {
  return (
    <output className="wr-skeleton" aria-busy aria-label={label}>
      <span className="wr-visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div className="wr-skeleton-row" key={row} aria-hidden>
          <span style={{ width: `${WIDTHS[row % WIDTHS.length]}%` }} />
          <span style={{ width: `${WIDTHS[(row + 2) % WIDTHS.length]}%` }} />
          <span style={{ width: `${WIDTHS[(row + 4) % WIDTHS.length]}%` }} />
        </div>
      ))}
    </output>
  )
}
