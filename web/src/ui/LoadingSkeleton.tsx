interface LoadingSkeletonProps {
  /** Number of rows to suggest. */
  rows?: number
  label?: string
}

/** Widths in percent, repeated down the rows: real text is ragged, too. */
const WIDTHS = [64, 48, 72, 56, 40, 68]

/**
 * The shape of a table that is loading. Appears after 150 ms (in the style sheet), so that it does not flash before a quick
 * answer; never used for a refetch.
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
