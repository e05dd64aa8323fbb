import { Callout, Intent, Spinner } from '@blueprintjs/core'
import { Link } from '@tanstack/react-router'
import type { Flow } from '@watchroom/shared/identity'
import { useEffect, useState } from 'react'

import { useScreenClock } from '../../../ui/clock.tsx'
import { safeReturnTo } from '../../../url/returnTo.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { FlowFailure } from '../components/FlowFailure.tsx'
import { FlowForm } from '../components/FlowForm.tsx'
import { SignInLayout } from '../components/SignInLayout.tsx'
import { signInSearch } from '../search.ts'
import { useFlow } from '../useFlow.ts'

import styles from '../signIn.module.css'

/** Sections in the order of the specification; one without fields is not offered by the service. */
const SECTIONS = [
  { title: 'Profile Settings', group: 'profile' },
  { title: 'Change Password', group: 'password' },
  { title: 'Manage Social Sign In', group: 'oidc' },
  { title: 'Manage 2FA Backup Recovery Codes', group: 'lookup_secret' },
  { title: 'Manage 2FA TOTP Authenticator App', group: 'totp' },
  { title: 'Manage Hardware Tokens and Biometrics', group: 'webauthn' },
] as const

/** Milliseconds until the message about a saved setting goes away. */
const MESSAGES_MS = 10_000

export function ProfileSettingsScreen() {
  const [search] = useSearchState(signInSearch)
  const handle = useFlow('settings', {
    id: search.flow,
    query: { return_to: search.return_to },
    returnTo: search.return_to,
  })
  const { flow, failure, notice, isSubmitting, answers, submit } = handle
  const [submittedGroup, setSubmittedGroup] = useState<string | null>(null)
  const messages = usePassingMessages(flow)

  return (
    <SignInLayout title="Your Profile" isWide footer={<Link to={safeReturnTo(search.return_to)}>Go back</Link>}>
      <FlowFailure handle={handle} />
      {notice === null ? null : <Callout intent={Intent.WARNING}>{notice}</Callout>}
      <div aria-live="polite">
        {messages.map(({ text, type }) => (
          <Callout key={text} icon={null} intent={type === 'error' ? Intent.DANGER : Intent.SUCCESS}>
            {text}
          </Callout>
        ))}
      </div>
      {flow === null && failure === null ? (
        <div className={styles['wait']}>
          <Spinner size={28} aria-label="Loading your profile" />
        </div>
      ) : null}
      {flow
        ? SECTIONS.filter(({ group }) => flow.ui.nodes.some((node) => node.group === group)).map(({ title, group }) => (
            <section key={group} className={styles['profileSection']}>
              <h2>{title}</h2>
              <FlowForm
                flow={flow}
                groups={[group]}
                isSubmitting={isSubmitting && submittedGroup === group}
                answers={submittedGroup === group ? answers : 0}
                onSubmit={(values) => {
                  setSubmittedGroup(group)
                  void submit(values)
                }}
                isMessagesHidden
              />
            </section>
          ))
        : null}
    </SignInLayout>
  )
}

/** The flow's messages for ten seconds after they arrived. */
function usePassingMessages(flow: Flow | null): Flow['ui']['messages'] {
  const { clock } = useScreenClock()
  const [expired, setExpired] = useState<Flow | null>(null)
  useEffect(() => {
    if (flow === null || flow.ui.messages.length === 0) return undefined
    return clock.schedule(() => setExpired(flow), MESSAGES_MS)
  }, [clock, flow])
  return flow === null || flow === expired ? [] : flow.ui.messages
}
