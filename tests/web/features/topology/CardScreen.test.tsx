import { topicKey, topologyTopic } from '@watchroom/shared/protocol'
import { type Component, ShownComponentSchema, toShownComponents } from '@watchroom/shared/topology'
import { act } from 'react'
import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { CardScreen } from '../../../../web/src/features/topology/screens/CardScreen.tsx'

const ID = '018f0000-0000-7000-8000-0000000000a1'
const OTHER = '018f0000-0000-7000-8000-0000000000a2'

let screen: RenderedScreen
afterEach(() => screen.close())

async function open(search: string, components: readonly object[]): Promise<void> {
  screen = await renderScreen(<CardScreen />, { address: `/view/topology${search}` })
  const rows = toShownComponents(ID, { components: components as Component[] }).map((row) =>
    ShownComponentSchema.parse(row),
  )
  await act(async () => screen.queryClient.setQueryData(topicKey(topologyTopic, { id: ID }), rows))
}

const width = (): string | undefined =>
  screen.container.querySelector('article')?.parentElement?.style.getPropertyValue('width')

describe('/view/topology', () => {
  it('shows one card, large unless another size is asked for', async () => {
    await open(`?id=${ID}`, [{ id: ID, name: 'shop', health: 'healthy' }])
    await screen.waitFor(() => expect(width()).toBe('356px'))
    await screen.go(`/view/topology?id=${ID}&size=extra_large`)
    await screen.waitFor(() => expect(width()).toBe('554px'))
    await screen.go(`/view/topology?id=${ID}&size=9999`)
    await screen.waitFor(() => expect(width()).toBe('356px'))
  })

  it('says that there is no such component', async () => {
    await open('?id=nonsense', [])
    await screen.waitFor(() => expect(screen.container.textContent).toContain('Component not found'))
  })

  it('tells when one id brings several components', async () => {
    await open(`?id=${ID}`, [
      { id: ID, name: 'shop' },
      { id: OTHER, name: 'other' },
    ])
    await screen.waitFor(() =>
      expect(document.body.textContent).toContain('Response has multiple components for the id.'),
    )
  })
})
