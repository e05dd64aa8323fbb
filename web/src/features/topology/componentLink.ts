import type { LinkProps } from '@tanstack/react-router'
import type { Component } from '@watchroom/shared/topology'
import { createContext, useContext } from 'react'

type ComponentLink = Pick<LinkProps, 'to' | 'params' | 'search'>

/** Where pages of components are: the shared view leads on to shared views. */
const BaseContext = createContext<'/topology/$id' | '/view/topology/$id'>('/topology/$id')
export const ComponentBase = BaseContext.Provider

/** Where the page of a component is. */
export const useComponentBase = () => useContext(BaseContext)

/**
 * Where a card leads (backend reference 10.6): the query stays but for the status, and for what was opened on the page itself. The
 * page that led there is named when the component's own path would not lead back to it. The page's own component leads nowhere.
 *
 * @param shownParentId the component whose page the card is on; empty at the top
 */
export function useComponentLink({ id, path }: Pick<Component, 'id' | 'path'>, shownParentId: string): ComponentLink {
  const base = useComponentBase()
  const isOffPath = shownParentId !== '' && shownParentId !== id && path?.split('.').at(-1) !== shownParentId
  return {
    to: base,
    params: { id },
    search: ({ status: _, refererId: __, checkId: ___, ...kept }: Record<string, unknown>) => ({
      ...kept,
      ...(isOffPath ? { refererId: shownParentId } : {}),
    }),
  }
}
