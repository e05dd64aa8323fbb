import { useSearchState } from '../../../url/useSearchState.ts'
import { FlowLink } from '../components/FlowLink.tsx'
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
      footer={
        <FlowLink to="/login" handle={handle}>
          Go back
        </FlowLink>
      }
    />
  )
}
