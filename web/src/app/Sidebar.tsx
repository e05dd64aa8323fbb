import { Button, Classes, Collapse } from '@blueprintjs/core'
import { ChevronDown, Cog, MenuClosed, MenuOpen } from '@blueprintjs/icons'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'

import { Logo } from '../ui/Logo.tsx'
import { Popover } from '../ui/Popover.tsx'
import { Tip } from '../ui/Tip.tsx'
import { HOME_PATH } from './links.ts'
import { MenuLink } from './MenuLink.tsx'
import { type NavigationEntry, useNavigation } from './navigation.ts'

import styles from './shell.module.css'

interface SidebarProps {
  /** Icons only; names are in tooltips. */
  isCollapsed: boolean
  /** Absent where it cannot be collapsed (off-canvas). */
  onToggle?: () => void
  onNavigate?: () => void
}

/** Links to every area that exists here and that the user may read. */
export function Sidebar({ isCollapsed, onToggle, onNavigate }: SidebarProps) {
  const { main, settings } = useNavigation()
  return (
    <div className={styles['sidebar']} data-collapsed={isCollapsed}>
      <Link to={HOME_PATH} className={styles['brand']} aria-label="Watchroom, start page" onClick={onNavigate}>
        <Logo />
        {isCollapsed ? null : <span>Watchroom</span>}
      </Link>
      <nav aria-label="Main" className={styles['sidebarNav']}>
        <ul>
          {main.map((entry) => (
            <li key={entry.path}>
              <EntryLink entry={entry} isCollapsed={isCollapsed} onNavigate={onNavigate} />
            </li>
          ))}
          {settings.length > 0 ? (
            <li className={styles['sidebarSettings']}>
              {isCollapsed ? (
                <SettingsFlyout entries={settings} />
              ) : (
                <SettingsGroup entries={settings} onNavigate={onNavigate} />
              )}
            </li>
          ) : null}
        </ul>
      </nav>
      {onToggle ? (
        <Collapsible label="Expand sidebar" isCollapsed={isCollapsed}>
          <button
            type="button"
            className={`${styles['navEntry']} ${styles['sidebarToggle']}`}
            onClick={onToggle}
            aria-label={isCollapsed ? 'Expand sidebar' : 'Collapse sidebar'}
          >
            {isCollapsed ? <MenuOpen /> : <MenuClosed />}
            {isCollapsed ? null : <span>Collapse</span>}
          </button>
        </Collapsible>
      ) : null}
    </div>
  )
}

/** Adds the name as a tooltip while only the icon shows. */
function Collapsible({
  label,
  isCollapsed,
  children,
}: {
  label: string
  isCollapsed: boolean
  children: ReactElement
}) {
  if (!isCollapsed) return children
  return (
    <Tip content={label} placement="right" delayMs={150} className={`${styles['navTip']}`}>
      {children}
    </Tip>
  )
}

interface EntryLinkProps {
  entry: NavigationEntry
  isCollapsed: boolean
  onNavigate: (() => void) | undefined
}

function EntryLink({ entry, isCollapsed, onNavigate }: EntryLinkProps) {
  const Icon = entry.icon
  return (
    <Collapsible label={entry.title} isCollapsed={isCollapsed}>
      <Link
        to={entry.path}
        className={styles['navEntry']}
        activeProps={{ 'aria-current': 'page' }}
        activeOptions={{ includeSearch: false }}
        onClick={onNavigate}
        {...(isCollapsed ? { 'aria-label': entry.title } : {})}
      >
        <Icon />
        {isCollapsed ? null : <span>{entry.title}</span>}
      </Link>
    </Collapsible>
  )
}

function SettingsGroup({
  entries,
  onNavigate,
}: {
  entries: readonly NavigationEntry[]
  onNavigate: (() => void) | undefined
}) {
  const isInside = useLocation({ select: ({ pathname }) => pathname.startsWith('/settings') })
  // Open while one of its screens shows, until the user says otherwise.
  const [choice, setChoice] = useState<boolean | null>(null)
  const isOpen = choice ?? isInside
  return (
    <>
      <button
        type="button"
        className={styles['navEntry']}
        aria-expanded={isOpen}
        {...(isOpen ? { 'aria-controls': 'settings-entries' } : {})}
        onClick={() => setChoice(!isOpen)}
      >
        <Cog />
        <span>Settings</span>
        <ChevronDown className={`${styles['navChevron']}`} />
      </button>
      <Collapse isOpen={isOpen}>
        <ul id="settings-entries" className={styles['navSub']}>
          {entries.map((entry) => (
            <li key={entry.path}>
              <EntryLink entry={entry} isCollapsed={false} onNavigate={onNavigate} />
            </li>
          ))}
        </ul>
      </Collapse>
    </>
  )
}

/** The submenu beside the collapsed sidebar. */
function SettingsFlyout({ entries }: { entries: readonly NavigationEntry[] }) {
  return (
    <Popover
      placement="right-start"
      content={
        <ul className={Classes.MENU} aria-label="Settings">
          {entries.map((entry) => (
            <li key={entry.path}>
              <MenuLink to={entry.path} icon={entry.icon} text={entry.title} />
            </li>
          ))}
        </ul>
      }
    >
      <Button className={`${styles['navEntry']}`} variant="minimal" icon={<Cog />} aria-label="Settings" />
    </Popover>
  )
}
