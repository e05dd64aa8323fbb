import { Spinner } from '@blueprintjs/core'
import { safeReturnTo } from '@watchroom/shared/kernel'
import { useEffect } from 'react'

import { deleteDocuments } from '../../../collab/indexedDbStorage.ts'
import { clearAllDrafts } from '../../../preferences/drafts.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { SignInLayout } from '../components/SignInLayout.tsx'
import { signInSearch } from '../search.ts'

import styles from '../signIn.module.css'

/** Forgets what this browser kept of the former organization, and goes on. */
export function OrganizationSwitchedScreen() {
  const [search] = useSearchState(signInSearch)
  const returnTo = safeReturnTo(search.return_to)
  useEffect(() => {
    clearAllDrafts()
    void deleteDocuments().then(() => window.location.replace(returnTo))
  }, [returnTo])
  return (
    <SignInLayout title="Switching organization">
      <div className={styles['wait']}>
        <Spinner size={28} aria-label="Switching organization" />
      </div>
    </SignInLayout>
  )
}
