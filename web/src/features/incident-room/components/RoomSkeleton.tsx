import { Pending } from '../../../ui/Pending.tsx'

import styles from '../incidentRoom.module.css'

/** The shape of a room whose document is loading: header, comments, and the panel beside them. */
export function RoomSkeleton() {
  return (
    <output
      className={`${styles['room']} ${styles['skeleton']} wr-skeleton`}
      aria-busy
      aria-label="Loading the incident"
    >
      <span className="wr-visually-hidden">Loading the incident</span>
      <span className={styles['header']} aria-hidden>
        <span className={styles['headerLine']}>
          <Pending letters={18} />
        </span>
        <span className={`${styles['headerLine']} ${styles['skeletonTitle']}`}>
          <Pending letters={36} />
        </span>
        <span className={styles['headerFacts']}>
          <Pending letters={8} />
          <Pending letters={12} />
          <Pending letters={16} />
        </span>
      </span>
      <span className={styles['columns']} aria-hidden>
        <span className={styles['main']}>
          <span className={`${styles['tabs']} ${styles['skeletonTabs']}`}>
            <Pending letters={24} />
          </span>
          <span className={styles['timeline']}>
            {[64, 40, 52].map((letters) => (
              <span key={letters} className={styles['comment']}>
                <span className={styles['face']} />
                <span>
                  <Pending letters={24} />
                  <br />
                  <Pending letters={letters} />
                </span>
              </span>
            ))}
          </span>
        </span>
        <span className={styles['side']}>
          {[10, 18, 10].map((letters, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a bar has no identity but its place
            <span key={index} className={`${styles['section']} ${styles['skeletonSection']}`}>
              <Pending letters={letters} />
            </span>
          ))}
        </span>
      </span>
    </output>
  )
}
