import { Button, Callout, Intent, Spinner, Tag } from '@blueprintjs/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { safeReturnTo } from '@watchroom/shared/kernel'

import { chooseOrganization, organizationsQuery } from '../../../api/organizations.ts'
import { errorText } from '../../../api/request.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { SignInLayout } from '../components/SignInLayout.tsx'
import { signInSearch } from '../search.ts'

import styles from '../signIn.module.css'

/** Where people of several organizations say which one they work for now. */
export function OrganizationsScreen() {
  const [search] = useSearchState(signInSearch)
  const returnTo = safeReturnTo(search.return_to)
  const query = useQuery(organizationsQuery)
  const choice = useMutation({
    mutationFn: chooseOrganization,
    onSuccess: () => {
      // A whole new page: nothing of the former organization stays in memory.
      window.location.assign(`/organizations/orgs-switched?${new URLSearchParams({ return_to: returnTo }).toString()}`)
    },
  })
  const organizations = query.data?.organizations
  const hasWayBack = query.data === null || organizations?.some(({ isChosen }) => isChosen) === true

  return (
    <SignInLayout
      title={organizations?.length === 0 ? 'No organization' : 'Choose an organization'}
      footer={hasWayBack ? <Link to={returnTo}>Go back</Link> : null}
    >
      {query.isPending ? (
        <div className={styles['wait']}>
          <Spinner size={28} aria-label="Loading your organizations" />
        </div>
      ) : null}
      {query.isError ? (
        <ErrorState
          message={errorText(query.error)}
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : null}
      {query.data === null ? (
        <EmptyState title="Not available here">This installation has one organization.</EmptyState>
      ) : null}
      {choice.isError ? <Callout intent={Intent.DANGER}>{errorText(choice.error)}</Callout> : null}
      {organizations?.length === 0 ? (
        <EmptyState title="You do not belong to an organization yet">
          Ask an administrator of your organization to add you, then sign in again.
        </EmptyState>
      ) : null}
      {organizations && organizations.length > 0 ? (
        <ul className={styles['organizations']}>
          {organizations.map(({ id, name, isChosen, isReady }) => (
            <li key={id}>
              <Button
                fill
                size="large"
                alignText="start"
                text={name}
                endIcon={isChosen || !isReady ? <Tag minimal>{isChosen ? 'Current' : 'Being set up'}</Tag> : null}
                loading={choice.isPending && choice.variables === id}
                disabled={choice.isPending}
                onClick={() => choice.mutate(id)}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </SignInLayout>
  )
}
