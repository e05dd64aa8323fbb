import { Button, Menu, MenuDivider, MenuItem, PopoverNext, SegmentedControl, Tag } from '@blueprintjs/core'
import { ChevronDown, Download, LogOut, User } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { highestRole } from '@watchroom/shared/access'
import { useAtom, type WritableAtom } from 'jotai'
import { useId, useState } from 'react'
import { z } from 'zod'

import { request } from '../api/request.ts'
import { useSession } from '../api/session.tsx'
import { densityAtom, DENSITIES } from '../preferences/density.ts'
import { themeAtom, THEMES } from '../preferences/theme.ts'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import { KubeconfigDialog } from './KubeconfigDialog.tsx'
import { FRONTEND_VERSION } from './links.ts'
import { signOut } from './signOut.ts'

const AboutSchema = z.object({ Version: z.string().optional().catch(undefined) })

/** Who is signed in and what concerns only them: profile, appearance, versions, sign-out. */
export function UserMenu() {
  const { user, roles } = useSession()
  const navigate = useNavigate()
  const isPhone = useMediaQuery('(max-width: 639px)')
  const [isKubeconfigOpen, setKubeconfigOpen] = useState(false)
  const name = user.name === '' ? (user.email ?? 'there') : user.name

  return (
    <>
      <PopoverNext
        placement="bottom-end"
        content={
          <div className="wr-user-panel">
            <div className="wr-user-who">
              <strong>{name}</strong>
              {user.email ? <span className="wr-muted">{user.email}</span> : null}
              <Tag minimal>{highestRole(roles)}</Tag>
            </div>
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
              <MenuItem icon={<Download />} text="Download kubeconfig" onClick={() => setKubeconfigOpen(true)} />
              <MenuDivider />
            </Menu>
            <Choice label="Theme" values={THEMES} atom={themeAtom} />
            <Choice label="Density" values={DENSITIES} atom={densityAtom} />
            <Versions />
            <Menu>
              <MenuDivider />
              <MenuItem icon={<LogOut />} text="Sign out" onClick={() => void signOut()} />
            </Menu>
          </div>
        }
      >
        <Button
          variant="minimal"
          className="wr-user-button"
          aria-label={`User menu of ${name}`}
          endIcon={isPhone ? null : <ChevronDown />}
        >
          <span className="wr-avatar" aria-hidden>
            {initials(name)}
          </span>
          {isPhone ? null : <span>Hi {name}</span>}
        </Button>
      </PopoverNext>
      <KubeconfigDialog isOpen={isKubeconfigOpen} onClose={() => setKubeconfigOpen(false)} />
    </>
  )
}

function hereAsPath(): string {
  return `${window.location.pathname}${window.location.search}`
}

/** Up to two letters: of the first and of the last word. */
function initials(name: string): string {
  const words = name.split(/[\s.@_-]+/).filter((word) => word !== '')
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => word?.[0] ?? '')
    .join('')
    .toUpperCase()
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
    <div className="wr-user-choice">
      <span id={id}>{label}</span>
      <SegmentedControl
        aria-labelledby={id}
        size="small"
        fill
        value={value}
        options={values.map((option) => ({ value: option, label: option[0]?.toUpperCase() + option.slice(1) }))}
        onValueChange={(chosen) => {
          const next = values.find((option) => option === chosen)
          if (next !== undefined) setValue(next)
        }}
      />
    </div>
  )
}

function Versions() {
  const about = useQuery({
    queryKey: ['about'],
    queryFn: ({ signal }) => request('/api/canary/about', { schema: AboutSchema, signal }),
  })
  return (
    <p className="wr-user-versions">
      frontend {FRONTEND_VERSION} / backend {about.data?.Version ?? 'NA'}
    </p>
  )
}
