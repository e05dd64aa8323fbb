import { afterEach, describe, expect, it } from 'vitest'

import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import type { SaveStatus } from '../../../web/src/collab/contract.ts'
import { OfflineBanner } from '../../../web/src/collab/OfflineBanner.tsx'
import { SavePill } from '../../../web/src/collab/SavePill.tsx'
import { saveText } from '../../../web/src/collab/saveText.ts'

const save = (state: SaveStatus['state'], overrides: Partial<SaveStatus> = {}): SaveStatus => ({
  state,
  isProven: state !== 'offline',
  unsent: 0,
  problems: [],
  since: null,
  ...overrides,
})

let screen: RenderedScreen | null = null
afterEach(async () => {
  await screen?.close()
  screen = null
})

describe('saveText', () => {
  it.each([
    { status: save('saved'), text: 'Saved' },
    { status: save('received'), text: 'Received' },
    { status: save('typed', { unsent: 2 }), text: 'Typing…' },
    { status: save('offline'), text: 'Disconnected' },
    { status: save('offline', { unsent: 1 }), text: 'Disconnected, 1 change kept' },
    { status: save('offline', { unsent: 3 }), text: 'Disconnected, 3 changes kept' },
    {
      status: save('problem', { problems: [{ entity: 'comments', id: 'c', message: 'too long' }] }),
      text: 'Not saved: too long',
    },
  ])('says "$text"', ({ status, text }) => {
    expect(saveText(status)).toBe(text)
  })
})

describe('SavePill', () => {
  const spoken = () => screen?.container.querySelector('output')?.textContent

  it('can be reached by keyboard and shows the word', async () => {
    screen = await renderScreen(<SavePill save={save('received')} />)
    const pill = screen.container.querySelector('button')
    expect(pill?.textContent).toContain('Received')
    expect(pill?.tabIndex).toBe(0)
  })

  it('does not speak with every word typed', async () => {
    screen = await renderScreen(<SavePill save={save('saved')} />)
    for (const state of ['typed', 'received', 'saved', 'typed', 'received', 'saved'] as const) {
      await screen.rerender(<SavePill save={save(state)} />)
      await screen.advance(1_000)
      expect(spoken()).toBe('')
    }
  })

  it('speaks at most every five seconds, and then the latest', async () => {
    screen = await renderScreen(<SavePill save={save('saved')} />)
    await screen.rerender(<SavePill save={save('offline')} />)
    await screen.advance(10)
    expect(spoken()).toBe('Disconnected')
    await screen.rerender(<SavePill save={save('offline', { unsent: 1 })} />)
    await screen.advance(1_000)
    await screen.rerender(<SavePill save={save('offline', { unsent: 2 })} />)
    await screen.advance(1_000)
    expect(spoken()).toBe('Disconnected')
    await screen.advance(5_000)
    expect(spoken()).toBe('Disconnected, 2 changes kept')
  })
})

describe('OfflineBanner', () => {
  it('waits until the link is away for long, and counts what is kept', async () => {
    screen = await renderScreen(<OfflineBanner isLongOffline={false} save={save('offline')} />)
    expect(screen.container.textContent).toBe('')
    await screen.rerender(<OfflineBanner isLongOffline save={save('offline', { unsent: 2 })} />)
    expect(screen.container.textContent).toContain('2 changes are kept in this browser')
  })
})
