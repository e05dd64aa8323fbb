import type { LinkProps } from '@tanstack/react-router'
import type { Component } from '@watchroom/shared/topology'
import { createContext, useContext } from 'react'

import type { FlatSearch } from '../../url/searchParams.ts'

type ComponentLink = Pick<LinkProps, 'to' | 'params' | 'search'>

/** Where pages of components are: the shared view leads on to shared views. */
const BaseContext = createContext<'/topology/$id' | '/view/topology/$id'>('/topology/$id')
export const ComponentBase = BaseContext.Provider

/** Where the page of a component is. */
export const useComponentBase = () => useContext(BaseContext)

/**
 * The query of a page on the way to another one (backend reference 10.6): it stays but for the status, which would hide what is
 * there, for the page that led here, and for what was opened on the page itself.
 */
export const toNextSearch = ({ status: _, refererId: __, checkId: ___, ...kept }: FlatSearch): FlatSearch => kept

/**
 * Where a card leads. The page that led there is named when the component's own path would not lead back to it. The page's own
 * component leads nowhere.
 *
 * @param shownParentId the component whose page the card is on; empty at the top
 */
export function useComponentLink(component: Pick<Component, 'id' | 'path'>, shownParentId: string): ComponentLink {
  return toComponentLink(useComponentBase(), component, shownParentId)
}

export function toComponentLink(
  base: ReturnType<typeof useComponentBase>,
  { id, path }: Pick<Component, 'id' | 'path'>,
  shownParentId: string,
) {
  const isOffPath = shownParentId !== '' && shownParentId !== id && path?.split('.').at(-1) !== shownParentId
  return {
    to: base,
    params: { id },
    search: (now: FlatSearch): FlatSearch => ({
      ...toNextSearch(now),
      ...(isOffPath ? { refererId: shownParentId } : {}),
    }),
  }
}
