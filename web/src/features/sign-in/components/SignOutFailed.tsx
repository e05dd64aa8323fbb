import { useMutation } from '@tanstack/react-query'
import { safeReturnTo } from '@watchroom/shared/kernel'

import { leave } from '../../../api/leave.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FlowLink } from './FlowLink.tsx'
import { SignInLayout } from './SignInLayout.tsx'

const TITLE = 'You may still be signed in'

/** What `signOut` says in the address when it could not end the session. */
const CODES = ['SIGN_OUT_FAILED', 'HOSTED_SIGN_OUT_FAILED'] as const
type SignOutFailure = (typeof CODES)[number]

export const isSignOutFailure = (code: string | undefined): code is SignOutFailure =>
  CODES.some((known) => known === code)

interface SignOutFailedProps {
  code: SignOutFailure
  returnTo: string | undefined
}

/** Does not start a sign-in: with a session still active, that would silently lead back into the product. */
export function SignOutFailed({ code, returnTo }: SignOutFailedProps) {
  const end = useMutation({
    mutationFn: () => leave(code === 'HOSTED_SIGN_OUT_FAILED', safeReturnTo(returnTo)),
    onSuccess: (next) => window.location.assign(next),
  })
  return (
    <SignInLayout
      title={TITLE}
      footer={
        <FlowLink to="/login" handle={{ goal: returnTo }}>
          Go back
        </FlowLink>
      }
    >
      <ErrorState
        title="Signing out didn’t work"
        message={end.error?.message ?? 'The server didn’t answer. Try again before you leave this machine.'}
        isRetrying={end.isPending}
        onRetry={() => end.mutate()}
      />
    </SignInLayout>
  )
}
