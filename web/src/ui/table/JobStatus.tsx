import { Cell, DASH } from './Cell.tsx'

import styles from './JobStatus.module.css'

/** What became of a job, in the colors that the specification gives it (third, section 4). */
export const JobStatus = ({ status }: { status: string | null | undefined }) =>
  status ? (
    <span className={styles['job']}>
      <Cell kind="status" value={status} />
    </span>
  ) : (
    DASH
  )
