import { createContext, type ReactNode, useContext } from 'react'

/** What the frame around a screen offers to its `PageHeader`. */
export interface TopBar {
  /** The element that shows the title; null until it is mounted. */
  readonly slot: HTMLElement | null
  /** Reloads whatever the screen shows, for screens that have no reload of their own. */
  readonly refresh: Refresh
  /** The pages above this one, outermost first. */
  readonly parents: readonly ParentPage[]
}

export interface ParentPage {
  readonly path: string
  readonly title: string
}

export interface Refresh {
  onRefresh: () => void
  isLoading: boolean
}

const TopBarContext = createContext<TopBar | null>(null)

export function TopBarProvider({ value, children }: { value: TopBar; children: ReactNode }) {
  return <TopBarContext value={value}>{children}</TopBarContext>
}

/** Null outside a frame, for example on sign-in pages and in tests. */
export function useTopBar(): TopBar | null {
  return useContext(TopBarContext)
}
