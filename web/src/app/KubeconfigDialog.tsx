import { AnchorButton, Button, DialogBody, DialogFooter } from '@blueprintjs/core'

import { SizedDialog } from '../ui/SizedDialog.tsx'
import { KubeconfigSteps } from './KubeconfigSteps.tsx'
import { KUBECONFIG_DOCS_URL } from './links.ts'

/** The dialog that the user menu opens. */
export function KubeconfigDialog({ onClose }: { onClose: () => void }) {
  return (
    <SizedDialog isOpen size="small" onClose={onClose} title="Download kubeconfig">
      <DialogBody>
        <KubeconfigSteps />
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
