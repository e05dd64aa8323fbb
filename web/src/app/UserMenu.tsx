import { Button } from '@blueprintjs/core'
import { ChevronDown } from '@blueprintjs/icons'
import { Suspense, useState } from 'react'

import { useSession } from '../api/session.tsx'
import { PHONE } from '../ui/breakpoints.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { Popover } from '../ui/Popover.tsx'
import { toInitials } from '../ui/toInitials.ts'
import { useMediaQuery } from '../ui/useMediaQuery.ts'

import styles from './shell.module.css'

// Rarely opened, so not part of the first load.
const UserPanel = lazyPart(async () => (await import('./UserPanel.tsx')).UserPanel)
const KubeconfigDialog = lazyPart(async () => (await import('./KubeconfigDialog.tsx')).KubeconfigDialog)

/** Who is signed in, and what concerns only them. */
export function UserMenu() {
  const { user } = useSession()
  const isPhone = useMediaQuery(PHONE)
  const [isKubeconfigOpen, setKubeconfigOpen] = useState(false)
  const name = user.name === '' ? (user.email ?? 'there') : user.name

  return (
    <>
      <Popover
        placement="bottom-end"
        content={
          <div className={styles['userPanel']}>
            <Suspense>
              <UserPanel name={name} onKubeconfig={() => setKubeconfigOpen(true)} />
            </Suspense>
          </div>
        }
      >
        <Button
          variant="minimal"
          className={`${styles['userButton']}`}
          // Starts with the visible text, for voice control.
          aria-label={`Hi ${name}, user menu`}
          endIcon={isPhone ? null : <ChevronDown />}
        >
          <span className={styles['avatar']} data-initials={toInitials(name)} aria-hidden />
          {isPhone ? null : <span>Hi {name}</span>}
        </Button>
      </Popover>
      {isKubeconfigOpen ? (
        <Suspense>
          <KubeconfigDialog onClose={() => setKubeconfigOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
