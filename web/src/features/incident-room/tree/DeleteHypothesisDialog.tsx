import { Button, Classes } from '@blueprintjs/core'

import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { hypothesisTitle } from '../hypothesisTitle.ts'

interface DeleteHypothesisDialogProps {
  readonly title: string
  readonly isDisproven: boolean
  /** Number of hypotheses below it that are deleted, too. */
  readonly belowCount: number
  readonly onDelete: () => void
  readonly onDisprove: () => void
  readonly onClose: () => void
}

/** Asks before deleting a hypothesis. Usually it is only wrong, which is worth keeping. */
export function DeleteHypothesisDialog(props: DeleteHypothesisDialogProps) {
  const { title, isDisproven, belowCount, onDelete, onDisprove, onClose } = props
  return (
    <SizedDialog isOpen size="small" title="Delete hypothesis" onClose={onClose}>
      <div className={Classes.DIALOG_BODY}>
        <p>
          Delete <strong>{hypothesisTitle({ title })}</strong>
          {belowCount === 0 ? '' : ` and the ${belowCount === 1 ? 'hypothesis' : `${belowCount} hypotheses`} below it`},
          with comments and evidence?
        </p>
        <p className="wr-muted">
          {isDisproven
            ? 'It’s already disproven. Keep it to show everyone what was ruled out.'
            : 'If it turned out wrong, disprove it instead, so the finding stays.'}
        </p>
      </div>
      <div className={Classes.DIALOG_FOOTER}>
        <div className={Classes.DIALOG_FOOTER_ACTIONS}>
          <Button text="Cancel" onClick={onClose} />
          <Button text="Delete" intent="danger" variant="outlined" onClick={onDelete} />
          {isDisproven ? null : <Button text="Disprove" intent="primary" onClick={onDisprove} />}
        </div>
      </div>
    </SizedDialog>
  )
}
