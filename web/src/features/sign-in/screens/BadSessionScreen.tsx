import { Link } from '@tanstack/react-router'

import { ErrorState } from '../../../ui/ErrorState.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { SignInLayout } from '../components/SignInLayout.tsx'
import { signInSearch } from '../search.ts'
import { FlowErrorView } from './FlowErrorScreen.tsx'

const TEXTS = new Map([
  [
    'BAD_SESSION',
    'Bad Session. Please try logging out and logging in again, if the problem persist, please contact us.',
  ],
  ['HOSTED_SIGN_IN_REFUSED', 'Your identity provider did not complete the sign-in. Go back to try again.'],
  ['HOSTED_PROVIDER_UNAVAILABLE', 'Your identity provider isn’t responding. Try again in a minute.'],
])

/** `/error?error_code=`; with `?id=` it is the identity service that sends the browser here to explain a flow error. */
export function BadSessionScreen() {
  const [search] = useSearchState(signInSearch)
  if (search.id !== undefined) return <FlowErrorView id={search.id} />
  const message = TEXTS.get(search.error_code ?? '') ?? 'Unknown error'
  return (
    <SignInLayout title="Error">
      <ErrorState title={message} message={message} actions={<Link to="/">Go back</Link>} />
    </SignInLayout>
  )
}
