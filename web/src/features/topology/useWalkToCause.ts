import { useNavigate } from '@tanstack/react-router'
import { type Component, toComponentHealth } from '@watchroom/shared/topology'

import { useMayRead } from '../../api/useMayRead.ts'
import { useHotkey } from '../../ui/hotkeys.ts'
import { toComponentLink, useComponentBase } from './componentLink.ts'
import { useHasSection } from './componentSections.ts'

/**
 * `f` goes one step closer to what failed: from the cards to the focused or the worst one, from a component to the next one on the
 * path, and finally to the check or the item.
 *
 * @param shown cards in their order
 */
export function useWalkToCause(top: Component | null, shown: readonly Component[]): void {
  const navigate = useNavigate()
  const base = useComponentBase()
  const hasChecks = useHasSection('checks')
  const hasItems = useMayRead()('database', 'config')
  const open = (id: string): void => {
    const card = shown.find((component) => component.id === id)
    // What is no card here is on its own path, for all that is known of it.
    const link = card === undefined ? toComponentLink(base, { id }, '') : toComponentLink(base, card, top?.id ?? '')
    void navigate(link)
  }
  useHotkey('f', () => {
    if (top === null) {
      const focused = document.activeElement?.closest<HTMLElement>('[data-component]')?.dataset['component']
      const bad = shown.filter(isBad)
      const next = bad.find(({ id }) => id === focused) ?? bad[0]
      if (next !== undefined) open(next.id)
      return
    }
    const cause = top.because?.[0]
    const next = cause === undefined ? shown.find(isBad) : cause.path[0]
    if (next !== undefined) open(next.id)
    else if (cause?.kind === 'config' && hasItems) void navigate({ to: '/catalog/$id', params: { id: cause.id } })
    else if (cause?.kind === 'check' && hasChecks) {
      void navigate({ to: '.', search: (now) => ({ ...now, panel: 'checks', checkId: cause.id }) })
    }
  })
}

function isBad({ health }: Component): boolean {
  const word = toComponentHealth(health)
  return word === 'unhealthy' || word === 'warning'
}
