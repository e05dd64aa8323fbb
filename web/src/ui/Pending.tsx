interface PendingProps {
  /** Number of letters expected. */
  readonly letters: number
  /** What is loading, for screen readers. */
  readonly label?: string
}

/** A placeholder for a word, about as long: it claims nothing before the answer, and nothing shifts when that arrives. */
export function Pending({ letters, label = 'Loading' }: PendingProps) {
  return (
    <span className="wr-pending" style={{ width: `${letters}ch` }}>
      <span className="wr-visually-hidden">{label}</span>
    </span>
  )
}
