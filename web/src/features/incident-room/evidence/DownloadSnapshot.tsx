import { Download } from '@blueprintjs/icons'
import { Suspense, useState } from 'react'

import { CommandButton } from '../../../ui/CommandButton.tsx'
import { lazyPart } from '../../../ui/lazyPart.tsx'
import type { SnapshotSubject } from './SnapshotDialog.tsx'

const SnapshotDialog = lazyPart(async () => (await import('./SnapshotDialog.tsx')).SnapshotDialog)

/** What is known of something, as an archive to keep or to pass on. */
export function DownloadSnapshot({ subject }: { subject: SnapshotSubject }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <CommandButton isIcon icon={<Download size={14} />} command="Download snapshot" onClick={() => setOpen(true)} />
      {isOpen ? (
        <Suspense>
          <SnapshotDialog subject={subject} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
