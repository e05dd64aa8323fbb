interface PendingProps {
  /** Letters that will probably stand here. */
  readonly letters: number
  /** What is on its way, for those who hear it. */
  readonly label?: string
}

/** A word that is not known yet, as long as it will be: nothing is claimed before the answer, and nothing moves with it. */
export function Pending({ letters, label = 'Loading' }: PendingProps) {
  return (
    <span className="wr-pending" style={{ width: `${letters}ch` }}>
      <span className="wr-visually-hidden">{label}</span>
    </span>
  )
}
