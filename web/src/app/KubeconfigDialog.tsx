import { AnchorButton, Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Download } from '@blueprintjs/icons'
import { useState } from 'react'

import { CopyText } from '../ui/CopyText.tsx'
import { SizedDialog } from '../ui/SizedDialog.tsx'
import { KUBECONFIG_DOCS_URL } from './links.ts'

import styles from './shell.module.css'

interface KubeconfigDialogProps {
  onClose: () => void
}

/** Two steps: fetch the file, then use it. */
export function KubeconfigDialog({ onClose }: KubeconfigDialogProps) {
  const [isDownloaded, setDownloaded] = useState(false)
  const command = `kubectl --kubeconfig ./${window.location.hostname}-kubeconfig.yaml get canaries --all-namespaces`

  return (
    <SizedDialog isOpen size="small" onClose={onClose} title="Download kubeconfig">
      <DialogBody>
        <ol className={styles['steps']}>
          <li aria-current={isDownloaded ? undefined : 'step'}>
            <h3>Download the file</h3>
            <p>It lets kubectl reach the resources of this installation with your rights. Keep it like a password.</p>
            <AnchorButton
              intent="primary"
              icon={<Download />}
              text="Download kubeconfig"
              href="/api/kubeconfig"
              // The session cookie authorizes the download; a new tab keeps this page if the server refuses.
              target="_blank"
              rel="noopener"
              onClick={() => setDownloaded(true)}
            />
          </li>
          <li aria-current={isDownloaded ? 'step' : undefined}>
            <h3>List the canaries with it</h3>
            {isDownloaded ? (
              <>
                <p>Run this beside the file; put in its name if your browser chose another.</p>
                <CopyText text={command} what="command" />
              </>
            ) : (
              <p className="wr-muted">The command appears here after the download.</p>
            )}
          </li>
        </ol>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <AnchorButton
              variant="minimal"
              text="Learn more"
              href={KUBECONFIG_DOCS_URL}
              target="_blank"
              rel="noreferrer"
            />
            <Button text="Close" onClick={onClose} />
          </>
        }
      />
    </SizedDialog>
  )
}
