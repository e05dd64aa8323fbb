import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

import { GuardedDialog } from './GuardedDialog.tsx'
import { shownOnceQuestion } from './shownOnce.ts'
import { useShownOnce } from './useShownOnce.ts'

import styles from './dialog.module.css'

interface ShownOnceDialogProps {
  title: string
  /** What the secret is, in lower case: `token`. */
  noun: string
  secret: string
  /** It reaches who needs it on another way, too. */
  isKnownElsewhere?: boolean
  /** What to do with it. */
  children: ReactNode
  /** What to know about it. */
  note?: ReactNode
  onClose: () => void
}

/** A secret that nobody can ask for again. */
export function ShownOnceDialog({ title, noun, secret, isKnownElsewhere = false, ...props }: ShownOnceDialogProps) {
  const { isCopied, onCopy, copy } = useShownOnce(secret)
  return (
    <GuardedDialog
      size="small"
      title={title}
      hasLoss={() => !isKnownElsewhere && !isCopied()}
      question={shownOnceQuestion(noun)}
      onClose={props.onClose}
    >
      {({ finish }) => (
        <>
          <DialogBody>
            {props.children}
            <code className={styles['secret']} onCopy={onCopy}>
              {secret}
            </code>
            {props.note}
          </DialogBody>
          <DialogFooter actions={<Button intent="primary" text="Done" onClick={finish} />}>
            <Button icon={<Duplicate />} text={`Copy ${noun}`} onClick={() => void copy()} />
          </DialogFooter>
        </>
      )}
    </GuardedDialog>
  )
}
