import { useQuery } from '@tanstack/react-query'

import { outboxQuery } from '../../../api/outbox.ts'
import { ShownOnceDialog } from '../../../ui/dialog/ShownOnceDialog.tsx'
import type { SentInvitation } from './InviteUserDialog.tsx'

/** The link that was mailed, for where mail does not arrive. Shown once: nobody can ask for it again. */
export function InvitationDialog({ invitation, onClose }: { invitation: SentInvitation; onClose: () => void }) {
  const { name, email, link } = invitation
  const { data: outbox, isPending } = useQuery(outboxQuery)
  return (
    <ShownOnceDialog
      title={`Invitation for ${name}`}
      noun="link"
      secret={link}
      isKnownElsewhere={outbox?.isKept === false}
      note={<p className="wr-muted">It works once, for 7 days. Anyone who opens it signs in as {name}.</p>}
      onClose={onClose}
    >
      {isPending ? null : (
        <p>
          {outbox?.isKept
            ? `No mail server is configured: share this link with ${email} yourself.`
            : `A mail with this link is on its way to ${email}. You can also share the link yourself.`}
        </p>
      )}
    </ShownOnceDialog>
  )
}
