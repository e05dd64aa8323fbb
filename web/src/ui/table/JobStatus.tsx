import { Cell, DASH } from './Cell.tsx'
import { Why } from './Why.tsx'

import styles from './JobStatus.module.css'

interface JobStatusProps {
  status: string | null | undefined
  /** What went wrong; below the status of a job that did not succeed. */
  why?: string | undefined
}

/** What became of a job, in the colors that the specification gives it (third, section 4). */
export const JobStatus = ({ status, why = '' }: JobStatusProps) =>
  status ? (
    <span className={styles['job']}>
      <Cell kind="status" value={status} />
      {why === '' || status === 'SUCCESS' ? null : <Why text={why} />}
    </span>
  ) : (
    DASH
  )
