import { DialogBody, Tab, Tabs } from '@blueprintjs/core'
import type { JobHistory } from '@watchroom/shared/settings'

import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { foldErrors, isFilled, type JobDetail, toJobDetails, toLines } from '../jobDetails.ts'

import styles from '../jobs.module.css'

/** What a job reports, opened on the first tab with content. Nothing for a job that reports nothing. */
export function JobDetailsDialog({ job, onClose }: { job: JobHistory; onClose: () => void }) {
  const details = toJobDetails(job)
  if (details === null) return null
  return (
    <SizedDialog size="medium" isOpen onClose={onClose} title={`Details for job ${job.name}`}>
      <DialogBody>
        <Tabs id="job-details" defaultSelectedTabId={details.first}>
          {details.tabs.map((detail) => (
            <Tab
              disabled={!isFilled(detail)}
              key={detail.id}
              id={detail.id}
              title={detail.errors.length > 0 ? `${detail.title} (${detail.errors.length})` : detail.title}
              panel={<Detail detail={detail} />}
            />
          ))}
        </Tabs>
      </DialogBody>
    </SizedDialog>
  )
}

function Detail({ detail: { errors, summary } }: { detail: JobDetail }) {
  return (
    <>
      {errors.length > 0 ? (
        <ul className={styles['errors']}>
          {foldErrors(errors).map(({ text, count }) => (
            <li key={text}>
              <pre>{count > 1 ? `${count.toLocaleString()} × ${text}` : text}</pre>
            </li>
          ))}
        </ul>
      ) : null}
      {Object.keys(summary).length > 0 ? (
        <dl className={styles['summary']}>
          {toLines(summary).map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </>
  )
}
