import { Spinner } from '@blueprintjs/core'
import type { ReactNode } from 'react'

import type { FlowHandle } from '../useFlow.ts'
import { FlowFailure } from './FlowFailure.tsx'
import { FlowForm } from './FlowForm.tsx'
import { SignInLayout } from './SignInLayout.tsx'

import styles from '../signIn.module.css'

interface FlowPageProps {
  title: string
  handle: FlowHandle
  groups: readonly string[]
  /** Under the form. */
  below?: ReactNode
  footer?: ReactNode
}

/** One page, one conversation: its form, or why there is none. */
export function FlowPage({ title, handle, groups, below, footer }: FlowPageProps) {
  const { flow, failure, notice, isSubmitting, answers, submit } = handle
  const hasSocial = flow?.ui.nodes.some(({ group }) => group === 'oidc') ?? false
  return (
    <SignInLayout title={title} footer={footer}>
      <FlowFailure handle={handle} />
      {flow === null && failure === null ? (
        <div className={styles['wait']}>
          <Spinner size={28} aria-label="Loading the form" />
        </div>
      ) : null}
      {flow === null ? null : (
        <>
          <FlowForm
            flow={flow}
            label={title}
            groups={groups}
            isSubmitting={isSubmitting}
            answers={answers}
            onSubmit={(values) => void submit(values)}
            notice={notice}
          />
          {hasSocial ? (
            <FlowForm
              flow={flow}
              label="Other ways to sign in"
              groups={['oidc']}
              isBesideAnother
              isSubmitting={isSubmitting}
              answers={0}
              onSubmit={(values) => void submit(values)}
              isMessagesHidden
            />
          ) : null}
          {below}
        </>
      )}
    </SignInLayout>
  )
}
