import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { ConfigLink } from '../../../../web/src/ui/config/ConfigLink.tsx'
import { ConfigTypeIcon } from '../../../../web/src/ui/config/ConfigTypeIcon.tsx'
import { typeWords } from '../../../../web/src/ui/config/typeWords.ts'

let screen: RenderedScreen
afterEach(() => screen.close())

const ITEM = { id: '1', name: 'web-1', type: 'Kubernetes::Pod' }

describe('a link to a config item', () => {
  it('leads to its page, and says name and type with blanks for the colons', async () => {
    screen = await renderScreen(<ConfigLink config={ITEM} />)
    const link = screen.container.querySelector('a')
    expect(link?.getAttribute('href')).toBe('/catalog/1')
    expect(link?.textContent).toBe('web-1Kubernetes Pod')
    expect(link?.querySelector('s')).toBeNull()
  })

  it('is struck, and says so in words, when the item was deleted', async () => {
    screen = await renderScreen(<ConfigLink config={{ ...ITEM, deleted_at: '2026-01-01T00:00:00Z' }} isTypeHidden />)
    expect(screen.container.querySelector('s')?.textContent).toBe('web-1 (deleted)')
    expect(screen.container.querySelector('a')?.textContent).toBe('web-1 (deleted)')
  })

  it('has something to be clicked when the item has no name', async () => {
    screen = await renderScreen([
      <ConfigLink key="type" config={{ id: '1', name: null, type: 'File' }} isTypeHidden />,
      <ConfigLink key="id" config={{ id: '2' }} />,
    ])
    expect([...screen.container.querySelectorAll('a')].map((link) => link.textContent)).toEqual(['File', '2'])
  })
})

describe('the picture of a type', () => {
  it.each([
    ['Kubernetes::Pod', ['pod', 'kubernetes']],
    ['AWS::EC2::Instance', ['instance', 'ec2', 'aws']],
    ['Self::FeatureFlag', ['flag', 'feature', 'self']],
    ['', []],
  ])('follows the words of %s, the last first', (type, words) => {
    expect(typeWords(type)).toEqual(words)
  })

  it('is that of the most telling word it knows, else a general one that screen readers skip, too', async () => {
    const types = ['Host::Disk', 'Host', 'Something', 'Host::Unheard']
    screen = await renderScreen(types.map((type) => <ConfigTypeIcon key={type} type={type} />))
    const icons = [...screen.container.querySelectorAll('.wr-type-icon')]
    expect(icons.every((icon) => icon.getAttribute('aria-hidden') === 'true')).toBe(true)
    const [disk, host, general, unheard] = icons.map((icon) => icon.querySelector('path')?.getAttribute('d'))
    expect(new Set([disk, host, general]).size).toBe(3)
    expect(unheard).toBe(host)
  })
})
