import { Menu, MenuDivider, MenuItem, SegmentedControl, Tag } from '@blueprintjs/core'
import { Download, Key, LogOut, Office, User } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { highestRole } from '@watchroom/shared/access'
import { capitalize } from '@watchroom/shared/kernel'
import { useAtom, type WritableAtom } from 'jotai'
import { useId } from 'react'

import { aboutQuery } from '../api/about.ts'
import { useBackendFacts } from '../api/backendFacts.ts'
import { isStandalone, useSession } from '../api/session.tsx'
import { DENSITIES, densityAtom } from '../preferences/density.ts'
import { themeAtom, THEMES } from '../preferences/theme.ts'
import { TIME_ZONES, timeZoneAtom } from '../preferences/timeZone.ts'
import { FRONTEND_VERSION } from './links.ts'
import { signOut } from './signOut.ts'

import styles from './shell.module.css'

interface UserPanelProps {
  name: string
  onKubeconfig: () => void
}

/** The content of the user menu: profile, kubeconfig, appearance, versions, sign-out. */
export function UserPanel({ name, onKubeconfig }: UserPanelProps) {
  const { user, roles } = useSession()
  const isPerson = !isStandalone(user)
  const hosted = useBackendFacts()?.hosted
  return (
    <>
      <div className={styles['userWho']}>
        <strong>{name}</strong>
        {user.email ? <span className="wr-muted">{user.email}</span> : null}
        <Tag minimal>{highestRole(roles)}</Tag>
      </div>
      {isPerson ? <OwnMenu onKubeconfig={onKubeconfig} /> : null}
      <Choice label="Theme" values={THEMES} atom={themeAtom} />
      <Choice label="Density" values={DENSITIES} atom={densityAtom} />
      <Choice label="Time zone" values={TIME_ZONES} atom={timeZoneAtom} />
      <Versions />
      {isPerson ? (
        <Menu>
          <MenuDivider />
          <MenuItem icon={<LogOut />} text="Sign out" onClick={() => void signOut(hosted !== undefined)} />
        </Menu>
      ) : null}
    </>
  )
}

/** For people who sign in: without a session there are no personal pages. */
function OwnMenu({ onKubeconfig }: Pick<UserPanelProps, 'onKubeconfig'>) {
  const navigate = useNavigate()
  const facts = useBackendFacts()
  const hosted = facts?.hosted
  return (
    <Menu>
      <MenuItem
        icon={<User />}
        text="Your Profile"
        href="/profile-settings"
        onClick={(event) => {
          event.preventDefault()
          void navigate({ to: '/profile-settings', search: { return_to: hereAsPath() } })
        }}
      />
      {facts?.missing.includes('accessTokens') ? null : (
        <MenuItem
          icon={<Key />}
          text="Access tokens"
          href="/settings/access-tokens"
          onClick={(event) => {
            event.preventDefault()
            void navigate({ to: '/settings/access-tokens' })
          }}
        />
      )}
      <MenuItem icon={<Download />} text="Download kubeconfig" onClick={onKubeconfig} />
      {hosted && hosted.organization !== null ? (
        <MenuItem
          icon={<Office />}
          text="Switch organization"
          label={hosted.organization}
          href={`/organizations?${new URLSearchParams({ return_to: '/' }).toString()}`}
        />
      ) : null}
      <MenuDivider />
    </Menu>
  )
}

function hereAsPath(): string {
  return `${window.location.pathname}${window.location.search}`
}

interface ChoiceProps<Value extends string> {
  label: string
  values: readonly Value[]
  atom: WritableAtom<Value, [Value], void>
}

function Choice<Value extends string>({ label, values, atom }: ChoiceProps<Value>) {
  const [value, setValue] = useAtom(atom)
  const id = useId()
  return (
    <div className={styles['userChoice']}>
      <span id={id}>{label}</span>
      <SegmentedControl
        aria-labelledby={id}
        size="small"
        fill
        value={value}
        options={values.map((option) => ({ value: option, label: capitalize(option) }))}
        onValueChange={(chosen) => {
          const next = values.find((option) => option === chosen)
          if (next !== undefined) setValue(next)
        }}
      />
    </div>
  )
}

function Versions() {
  const about = useQuery(aboutQuery)
  return (
    <p className={styles['userVersions']}>
      frontend {FRONTEND_VERSION} / backend {about.data?.Version ?? 'NA'}
    </p>
  )
}
