import { Button } from '@blueprintjs/core'

import { HoverCard } from '../../../ui/HoverCard.tsx'

import styles from '../checkPanel.module.css'

/** More would push the figures below the fold. */
const SHOWN_LABELS = 6

interface CheckLabelsProps {
  labels: Readonly<Record<string, string>>
}

/** A label with the value `true` is a mere flag: its key says it all. */
function toText([key, value]: readonly [string, string]): string {
  return value === 'true' ? key : `${key}: ${value}`
}

/** Labels as chips; those that do not fit are in a card. */
export function CheckLabels({ labels }: CheckLabelsProps) {
  const texts = Object.entries(labels).map(toText).toSorted()
  if (texts.length === 0) return null
  const hidden = texts.slice(SHOWN_LABELS)
  return (
    <ul className={styles['labels']} aria-label="Labels">
      {texts.slice(0, SHOWN_LABELS).map((text) => (
        <li key={text} className={styles['tag']}>
          {text}
        </li>
      ))}
      {hidden.length > 0 ? (
        <li>
          <HoverCard
            opensOnClick
            placement="bottom"
            content={
              <ul className={`${styles['labels']} ${styles['labelsMore']}`} aria-label="More labels">
                {hidden.map((text) => (
                  <li key={text} className={styles['tag']}>
                    {text}
                  </li>
                ))}
              </ul>
            }
          >
            <Button size="small" variant="minimal" text={`+${hidden.length} more`} />
          </HoverCard>
        </li>
      ) : null}
    </ul>
  )
}
