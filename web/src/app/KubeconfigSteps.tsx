import { AnchorButton } from '@blueprintjs/core'
import { Download } from '@blueprintjs/icons'
import { useState } from 'react'

import { isStandalone, useSession } from '../api/session.tsx'
import { CopyText } from '../ui/CopyText.tsx'

import styles from './shell.module.css'

/** Two steps: fetch the file, then use it. */
export function KubeconfigSteps() {
  const { can, user } = useSession()
  const [isDownloaded, setDownloaded] = useState(false)
  const command = `kubectl --kubeconfig ./${window.location.hostname}-kubeconfig.yaml get canaries --all-namespaces`
  const refusal = isStandalone(user)
    ? 'It belongs to a person, and nobody signs in here.'
    : can('write', 'database')
      ? null
      : 'Only editors and administrators can download it.'
  return (
    <ol className={styles['steps']}>
      <li aria-current={isDownloaded ? undefined : 'step'}>
        <h3>Download the file</h3>
        <p>
          It lets kubectl reach the cluster behind this installation with your permissions. It contains an access token
          that never expires: treat it like a password, and revoke it under Access tokens. Watchroom’s own backend has
          no cluster.
        </p>
        <AnchorButton
          intent="primary"
          icon={<Download />}
          text="Download kubeconfig"
          disabled={refusal !== null}
          href="/api/kubeconfig"
          // The session cookie authorizes the download; a new tab keeps this page if the server refuses.
          target="_blank"
          rel="noopener"
          onClick={() => setDownloaded(true)}
        />
        {refusal === null ? null : <p className="wr-muted">{refusal}</p>}
      </li>
      <li aria-current={isDownloaded ? 'step' : undefined}>
        <h3>List the canaries with it</h3>
        {isDownloaded ? (
          <>
            <p>Run this in the folder of the file. Change the file name if your browser renamed it.</p>
            <CopyText text={command} what="command" />
          </>
        ) : (
          <p className="wr-muted">The command appears here after the download.</p>
        )}
      </li>
    </ol>
  )
}
