import { type ReactNode, useRef, useState } from 'react'

import { type DialogSize, SizedDialog } from '../SizedDialog.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { LeaveGuard, type LeaveQuestion } from './LeaveGuard.tsx'

interface GuardedDialogProps {
  size: DialogSize
  title: string
  className?: string
  /** Asked when someone closes it or leaves: whether something in it would be lost. */
  hasLoss: () => boolean
  question: LeaveQuestion
  /** The address holds it: another one of the same page is leaving, too. */
  isOfAddress?: boolean
  onClose: () => void
  children: (leave: Leave) => ReactNode
}

interface Leave {
  /** Asks first where something would be lost. */
  readonly close: () => void
  /** For a button that says it is done with. */
  readonly finish: () => void
}

/** What the dialog shows. */
const Content = ({ render, ...leave }: Leave & { render: (leave: Leave) => ReactNode }): ReactNode => render(leave)

/** A dialog that holds what is nowhere else: a slip, a link or Back does not lose it. Forms have `FormDialog`. */
export function GuardedDialog({ size, title, className, question, isOfAddress = false, ...props }: GuardedDialogProps) {
  const { onClose, children } = props
  const [isAsking, setAsking] = useState(false)
  const isGivenUp = useRef(false)
  const hasLoss = (): boolean => !isGivenUp.current && props.hasLoss()
  const finish = (): void => {
    isGivenUp.current = true
    onClose()
  }
  const close = (): void => (hasLoss() ? setAsking(true) : onClose())
  return (
    <SizedDialog
      isOpen
      size={size}
      title={title}
      {...(className === undefined ? {} : { className })}
      canOutsideClickClose={false}
      onClose={close}
    >
      <Content close={close} finish={finish} render={children} />
      <LeaveGuard hasUnsavedWork={hasLoss} isWithinPage={isOfAddress} question={question} />
      {isAsking ? (
        <ConfirmDialog {...question} cancel="Stay" onCancel={() => setAsking(false)} onConfirm={finish}>
          {question.text}
        </ConfirmDialog>
      ) : null}
    </SizedDialog>
  )
}
