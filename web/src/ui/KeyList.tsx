/** A key or several, and what they do. */
export type KeyMeaning = readonly [keys: string, meaning: string]

/** Keys and what they do. */
export function KeyList({ keys, className }: { keys: readonly KeyMeaning[]; className?: string }) {
  return (
    <dl className={className}>
      {keys.map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}
