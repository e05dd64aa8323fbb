import type { LinkProps } from '@tanstack/react-router'
import type { Component } from '@watchroom/shared/topology'

/**
 * Where a card leads (backend reference 10.6): the query stays but for the status. The page that led there is named when the
 * component's own path would not lead back to it.
 *
 * @param shownParentId the component whose page the card is on; empty at the top
 */
export function toComponentLink(
  { id, path }: Component,
  shownParentId: string,
): Pick<LinkProps, 'to' | 'params' | 'search'> {
  const isOffPath = shownParentId !== '' && shownParentId !== id && path?.split('.').at(-1) !== shownParentId
  return {
    to: '/topology/$id',
    params: { id },
    search: ({ status: _, refererId: __, ...kept }: Record<string, unknown>) => ({
      ...kept,
      ...(isOffPath ? { refererId: shownParentId } : {}),
    }),
  } as Pick<LinkProps, 'to' | 'params' | 'search'>
}
