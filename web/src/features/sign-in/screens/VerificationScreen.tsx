import { Link } from '@tanstack/react-router'
import { safeReturnTo } from '@watchroom/shared/kernel'

import { useSearchState } from '../../../url/useSearchState.ts'
import { FlowPage } from '../components/FlowPage.tsx'
import { signInSearch } from '../search.ts'
import { useFlow } from '../useFlow.ts'

export function VerificationScreen() {
  const [search] = useSearchState(signInSearch)
  const handle = useFlow('verification', {
    id: search.flow,
    query: { return_to: search.return_to },
    returnTo: search.return_to,
  })
  return (
    <FlowPage
      title="Verify your account"
      handle={handle}
      groups={['link', 'code']}
      // People who come from a page are signed in, and the sign-in would only redirect them; everyone else is asked by that page.
      footer={<Link to={handle.goal ? safeReturnTo(handle.goal) : '/login'}>Go back</Link>}
    />
  )
}
