import { useEffect, useRef } from 'react'

import { useSearchState } from '../../../url/useSearchState.ts'
import { DemoAccounts } from '../components/DemoAccounts.tsx'
import { FlowLink } from '../components/FlowLink.tsx'
import { FlowPage } from '../components/FlowPage.tsx'
import { KeysNeedName } from '../components/KeysNeedName.tsx'
import { isSignOutFailure, SignOutFailed } from '../components/SignOutFailed.tsx'
import { isInputNode, toSubmitBody } from '../flowValues.ts'
import { signInSearch } from '../search.ts'
import { useFlow } from '../useFlow.ts'

/** Signing in, or what became of signing out. */
export function LoginScreen() {
  const [{ error_code: code, return_to: returnTo }] = useSearchState(signInSearch)
  return isSignOutFailure(code) ? <SignOutFailed code={code} returnTo={returnTo} /> : <SignIn />
}

/** Signing in, confirming with a second factor, or confirming who one is. */
function SignIn() {
  const [search, setSearch] = useSearchState(signInSearch)
  const handle = useFlow('login', {
    id: search.flow,
    query: { aal: search.aal, refresh: search.refresh, return_to: search.return_to },
    returnTo: search.return_to,
  })
  useSubmitFromAddress(handle, search.username, search.password, () =>
    setSearch({ username: undefined, password: undefined }, { replace: true }),
  )

  const { flow } = handle
  const isSecondFactor = search.aal === 'aal2' || flow?.requested_aal === 'aal2'
  const isInvitation = flow?.ui.nodes.some(({ group }) => group === 'link') ?? false
  const isConfirmation = search.refresh === 'true' || flow?.refresh === true
  const title = isConfirmation
    ? 'Confirm Action'
    : isSecondFactor
      ? 'Two-Factor Authentication'
      : 'Sign In to your account'

  return (
    <FlowPage
      title={title}
      handle={handle}
      groups={isSecondFactor ? ['totp', 'lookup_secret', 'webauthn', 'code'] : ['password', 'code', 'passkey', 'link']}
      below={
        isSecondFactor ? (
          <KeysNeedName />
        ) : flow !== null && !isConfirmation && !isInvitation ? (
          <DemoAccounts
            isDisabled={handle.isSubmitting}
            onChoose={(account) =>
              void handle.submit(toSubmitBody(flow.ui.nodes, account, { name: 'method', value: 'password' }))
            }
          />
        ) : null
      }
      footer={
        isSecondFactor || isConfirmation || isInvitation ? null : (
          <FlowLink to="/recovery" handle={handle}>
            Reset password
          </FlowLink>
        )
      }
    />
  )
}

/** `?username=&password=` signs in at once, when the form carries its anti-forgery token. Used by demonstrations. */
function useSubmitFromAddress(
  { flow, submit }: ReturnType<typeof useFlow>,
  username: string | undefined,
  password: string | undefined,
  onRead: () => void,
): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current || flow === null || username === undefined || password === undefined) return
    const { nodes } = flow.ui
    if (!nodes.some((node) => isInputNode(node) && node.attributes.name === 'csrf_token')) return
    isDone.current = true
    // Out of the address and the history before anything else.
    onRead()
    const drafts = { identifier: username, password }
    void submit(toSubmitBody(nodes, drafts, { name: 'method', value: 'password' }))
  }, [flow, submit, username, password, onRead])
}
