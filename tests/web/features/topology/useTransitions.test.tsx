import { type ShownComponent, ShownComponentSchema } from '@watchroom/shared/topology'
import { afterEach, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { useTransitions } from '../../../../web/src/features/topology/useTransitions.ts'

const row = (health: string): ShownComponent => ShownComponentSchema.parse({ id: 'a', name: 'a', health })

let screen: RenderedScreen
afterEach(() => screen.close())

function Told({ rows, isBlind }: { rows: readonly ShownComponent[]; isBlind: boolean }) {
  const transitions = useTransitions('', { rows, isBlind, isHiddenShown: false })
  return transitions.map(({ at, from, to }) => <p key={at}>{`${from} → ${to}`}</p>)
}

it('are not told of what became different while nothing told of it', async () => {
  const [healthy, unhealthy, warning] = ['healthy', 'unhealthy', 'warning'].map((health) => [row(health)])
  const show = (rows: readonly ShownComponent[] | undefined, isBlind: boolean) => (
    <Told rows={rows ?? []} isBlind={isBlind} />
  )
  screen = await renderScreen(show(healthy, false))
  await screen.rerender(show(healthy, true))
  // The link is back before its rows are.
  await screen.rerender(show(healthy, false))
  await screen.rerender(show(unhealthy, false))
  expect(screen.container.textContent).toBe('')
  await screen.rerender(show(warning, false))
  await screen.waitFor(() => expect(screen.container.textContent).toBe('unhealthy → warning'))
})
