import { useQuery } from '@tanstack/react-query'

import { useSession } from '../../../api/session.tsx'
import { formatBytes } from '../../../ui/formatBytes.ts'
import type { Step } from '../runParts.ts'
import { stepFilePath, stepFilesQuery } from '../runQueries.ts'

import styles from '../playbooks.module.css'

/** Files that a step left, to be saved. Servers that show them to administrators alone show nothing here. */
export function StepFiles({ step }: { step: Step }) {
  const mayRead = useSession().can('read', 'playbook_runs', 'artifact')
  const { data: files = [] } = useQuery({ ...stepFilesQuery(step.id), enabled: mayRead })
  if (files.length === 0) return null
  return (
    <section className={styles['files']} aria-label={`Files of ${step.name}`}>
      <strong>{files.length === 1 ? '1 file' : `${files.length} files`}</strong>
      <ul>
        {files.map((file) => (
          <li key={file.id}>
            <a href={stepFilePath(file)} download={file.filename}>
              {file.filename}
            </a>{' '}
            <small className="wr-muted">{formatBytes(file.size)}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
