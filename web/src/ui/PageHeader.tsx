import { ChevronRight, Refresh as RefreshIcon } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import type { ReactElement, ReactNode } from 'react'
import { createPortal } from 'react-dom'

import { PHONE } from './breakpoints.ts'
import { CommandButton } from './CommandButton.tsx'
import { type Refresh, useTopBar } from './topBar.tsx'
import { useMediaQuery } from './useMediaQuery.ts'

interface HeaderAction {
  readonly text: string
  readonly icon: ReactElement
  readonly onClick: () => void
  /** The key that presses it. Default: `c`, since most actions create something. */
  readonly hotkey?: 'c' | 'r'
}

interface PageHeaderProps {
  title: string
  /** More text for screen readers, for what is shown elsewhere on the page, such as an editable title. */
  spokenTitle?: string
  /** Beside the title: counts, freshness. */
  children?: ReactNode
  /** The main action of the screen. */
  action?: HeaderAction | null
  /** Extra controls before the refresh button. */
  controls?: ReactNode
  /** The screen's own reload; the default reloads every query on screen. */
  refresh?: Refresh
  /** Text of the browser tab when it should say more than the title. */
  tabTitle?: string
}

/** Title and controls of a screen, shown in the frame's top bar. A screen renders exactly one. */
export function PageHeader({ title, spokenTitle, children, action, controls, refresh, tabTitle }: PageHeaderProps) {
  const topBar = useTopBar()
  const reload = refresh ?? topBar?.refresh
  const header = (
    <>
      {topBar && topBar.parents.length > 0 ? (
        <nav className="wr-breadcrumb" aria-label="Breadcrumb">
          {topBar.parents.map((parent) => (
            <span key={parent.path}>
              <Link to={parent.path}>{parent.title}</Link>
              <ChevronRight size={12} aria-hidden />
            </span>
          ))}
        </nav>
      ) : null}
      <h1 className="wr-page-title">
        {title}
        {spokenTitle ? <span className="wr-visually-hidden"> {spokenTitle}</span> : null}
      </h1>
      {children ? <div className="wr-page-extra">{children}</div> : null}
      <div className="wr-page-controls">
        {action ? <PrimaryAction {...action} /> : null}
        {controls}
        {reload ? (
          <CommandButton
            isIcon
            icon={<RefreshIcon className={reload.isLoading ? 'wr-spin' : ''} />}
            command="Refresh"
            aria-keyshortcuts={action?.hotkey === 'r' ? undefined : 'r'}
            aria-busy={reload.isLoading}
            onClick={reload.onRefresh}
          />
        ) : null}
      </div>
    </>
  )
  return (
    <>
      <title>{`${tabTitle ?? title} – Watchroom`}</title>
      {topBar === null ? <header className="wr-page-header">{header}</header> : null}
      {topBar?.slot ? createPortal(header, topBar.slot) : null}
    </>
  )
}

/** With its text where there is room; on a phone only the icon. */
function PrimaryAction({ text, icon, onClick, hotkey = 'c' }: HeaderAction) {
  const isIcon = useMediaQuery(PHONE)
  return (
    <CommandButton
      command={text}
      icon={icon}
      isIcon={isIcon}
      intent="primary"
      variant="solid"
      aria-keyshortcuts={hotkey}
      onClick={onClick}
    />
  )
}
