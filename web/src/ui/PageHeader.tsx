import { Refresh as RefreshIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'

import { IconButton } from './IconButton.tsx'
import { type Refresh, useTopBar } from './topBar.tsx'

interface PageHeaderProps {
  title: string
  /** Beside the title: counts, freshness. */
  children?: ReactNode
  /** Extra controls before the refresh button. */
  controls?: ReactNode
  /** The screen's own reload; the default reloads every query on screen. */
  refresh?: Refresh
  /** Text of the browser tab when it should say more than the title. */
  tabTitle?: string
}

/** Title and controls of a screen, shown in the frame's top bar. A screen renders exactly one. */
export function PageHeader({ title, children, controls, refresh, tabTitle }: PageHeaderProps) {
  const topBar = useTopBar()
  const reload = refresh ?? topBar?.refresh
  const header = (
    <>
      <h1 className="wr-page-title">{title}</h1>
      {children ? <div className="wr-page-extra">{children}</div> : null}
      <div className="wr-page-controls">
        {controls}
        {reload ? (
          <IconButton
            icon={<RefreshIcon className={reload.isLoading ? 'wr-spin' : ''} />}
            label="Refresh"
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
