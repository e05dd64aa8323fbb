import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'

import { copyText } from '../../../ui/copyToClipboard.ts'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import type { SentInvitation } from './InviteUserDialog.tsx'

import styles from '../users.module.css'

/** The link that was mailed, for where mail does not arrive. Shown once: nobody can ask for it again. */
export function InvitationDialog({ invitation, onClose }: { invitation: SentInvitation; onClose: () => void }) {
  const { name, email, link } = invitation
  return (
    <SizedDialog isOpen size="small" title={`Invitation for ${name}`} onClose={onClose}>
      <DialogBody>
        <p>A mail with this link is on its way to {email}. You can also share the link yourself.</p>
        <code className={`${styles['link']}`}>{link}</code>
        <p className="wr-muted">It works once, for 7 days. Anyone who opens it signs in as {name}.</p>
      </DialogBody>
      <DialogFooter actions={<Button intent="primary" text="Done" onClick={onClose} />}>
        <Button icon={<Duplicate />} text="Copy link" onClick={() => void copyText(link)} />
      </DialogFooter>
    </SizedDialog>
  )
}
