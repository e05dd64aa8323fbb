import { Callout, Intent, Spinner } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { canHoldKeys, type Flow } from '@watchroom/shared/identity'
import { safeReturnTo } from '@watchroom/shared/kernel'
import { useEffect, useState } from 'react'

import { identityKeys } from '../../../api/queryKeys.ts'
import { useScreenClock } from '../../../ui/clock.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { FlowFailure } from '../components/FlowFailure.tsx'
import { FlowForm } from '../components/FlowForm.tsx'
import { KeysNeedName } from '../components/KeysNeedName.tsx'
import { OwnSessions } from '../components/OwnSessions.tsx'
import { SignInLayout } from '../components/SignInLayout.tsx'
import { UnverifiedAddress } from '../components/UnverifiedAddress.tsx'
import { signInSearch } from '../search.ts'
import { useFlow } from '../useFlow.ts'

import styles from '../signIn.module.css'

/** Sections in the order of the specification; one without fields is not offered by the service. */
const KEYS = 'Manage Hardware Tokens and Biometrics'
const SECTIONS = [
  { title: 'Profile Settings', groups: ['profile'] },
  { title: 'Change Password', groups: ['password'] },
  { title: 'Manage Social Sign In', groups: ['oidc'] },
  { title: 'Manage 2FA Backup Recovery Codes', groups: ['lookup_secret'] },
  { title: 'Manage 2FA TOTP Authenticator App', groups: ['totp'] },
  { title: KEYS, groups: ['webauthn', 'passkey'] },
] as const

/** Of forms that share a section. */
const FORM_LABELS: ReadonlyMap<string, string> = new Map([
  ['webauthn', 'Security keys'],
  ['passkey', 'Passkeys'],
])

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
  const queryClient = useQueryClient()
  const messages = usePassingMessages(flow)
  // The address stays as it is after the save: a page that is loaded again learns from the flow that nothing waits any more.
  const isWaiting =
    search.confirmed === 'true' &&
    search.flow !== undefined &&
    flow?.id === search.flow &&
    flow.state !== 'success' &&
    answers === 0

  // What was saved, at the first try or at another one, may be shown of the session as well.
  useEffect(() => {
    if (answers > 0) void queryClient.invalidateQueries({ queryKey: identityKeys.ownSessions })
  }, [answers, queryClient])

  return (
    <SignInLayout title="Your Profile" isWide footer={<Link to={safeReturnTo(handle.goal)}>Go back</Link>}>
      <FlowFailure handle={handle} />
      {notice === null ? null : <Callout intent={Intent.WARNING}>{notice}</Callout>}
      {isWaiting ? <Callout intent={Intent.WARNING}>Confirmed. Save again to apply your change.</Callout> : null}
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
        ? offeredSections(flow).map(({ title, groups }) => (
            <section key={title} className={styles['profileSection']}>
              <h2>{title}</h2>
              {groups.length === 0 ? <KeysNeedName /> : null}
              {groups.map((group) => (
                <FlowForm
                  key={group}
                  flow={flow}
                  label={FORM_LABELS.get(group) ?? title}
                  groups={[group]}
                  isSubmitting={isSubmitting && submittedGroup === group}
                  answers={submittedGroup === group ? answers : 0}
                  onSubmit={(values) => {
                    setSubmittedGroup(group)
                    void submit(values)
                  }}
                  isMessagesHidden
                />
              ))}
              {groups.includes('profile') ? <UnverifiedAddress /> : null}
            </section>
          ))
        : null}
      {flow ? <OwnSessions /> : null}
    </SignInLayout>
  )
}

/** Without what the service does not offer, unless the reason is one that a person can do something about. */
function offeredSections(flow: Flow): { title: string; groups: string[] }[] {
  const hasGroup = (group: string): boolean => flow.ui.nodes.some((node) => node.group === group)
  return SECTIONS.map(({ title, groups }) => ({ title, groups: groups.filter(hasGroup) })).filter(
    ({ title, groups }) => groups.length > 0 || (title === KEYS && !canHoldKeys(window.location.hostname)),
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
