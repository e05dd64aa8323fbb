import { Link } from '@tanstack/react-router'

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
      footer={<Link to="/login">Go back</Link>}
    />
  )
}
