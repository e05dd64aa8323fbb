import { useSearchState } from '../../../url/useSearchState.ts'
import { FlowLink } from '../components/FlowLink.tsx'
import { FlowPage } from '../components/FlowPage.tsx'
import { signInSearch } from '../search.ts'
import { useFlow } from '../useFlow.ts'

export function RegistrationScreen() {
  const [search] = useSearchState(signInSearch)
  const handle = useFlow('registration', {
    id: search.flow,
    query: {
      return_to: search.return_to,
      invitation: search.invitation,
      after_verification_return_to: search.after_verification_return_to,
    },
    returnTo: search.return_to,
  })
  return (
    <FlowPage
      title="Create account"
      handle={handle}
      groups={['password', 'profile', 'code']}
      footer={
        <FlowLink to="/login" handle={handle}>
          Sign in
        </FlowLink>
      }
    />
  )
}
