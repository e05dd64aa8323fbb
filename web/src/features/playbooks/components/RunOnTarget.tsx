import { DialogBody } from '@blueprintjs/core'
import { useState } from 'react'

import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import type { Playbook, PlaybookTarget } from '../queries.ts'
import { RunPlaybookDialog } from './RunPlaybookDialog.tsx'
import { PlaybookMenu } from './TargetPlaybooks.tsx'

/** Asks which playbook to run on a resource, then for its parameters. */
export function RunOnTarget({ target, onClose }: { target: PlaybookTarget; onClose: () => void }) {
  const [chosen, setChosen] = useState<Playbook | null>(null)
  if (chosen !== null) return <RunPlaybookDialog playbookId={chosen.id} target={target} onClose={onClose} />
  return (
    <SizedDialog size="small" isOpen onClose={onClose} title="Run playbook">
      <DialogBody>
        <PlaybookMenu target={target} onChoose={setChosen} />
      </DialogBody>
    </SizedDialog>
  )
}
