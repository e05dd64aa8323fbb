import { Link } from '@tanstack/react-router'

import { ErrorState } from '../../../ui/ErrorState.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { SignInLayout } from '../components/SignInLayout.tsx'
import { signInSearch } from '../search.ts'
import { FlowErrorView } from './FlowErrorScreen.tsx'

const BAD_SESSION_TEXT =
  'Bad Session. Please try logging out and logging in again, if the problem persist, please contact us.'

/** `/error?error_code=`; with `?id=` it is the identity service that sends the browser here to explain a flow error. */
export function BadSessionScreen() {
  const [search] = useSearchState(signInSearch)
  if (search.id !== undefined) return <FlowErrorView id={search.id} />
  const message = search.error_code === 'BAD_SESSION' ? BAD_SESSION_TEXT : 'Unknown error'
  return (
    <SignInLayout title="Error">
      <ErrorState title={message} message={message} actions={<Link to="/">Go back</Link>} />
    </SignInLayout>
  )
}
