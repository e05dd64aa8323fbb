import { afterEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import type { SaveStatus } from '../../../web/src/collab/contract.ts'
import { OfflineBanner } from '../../../web/src/collab/OfflineBanner.tsx'
import { SavePill } from '../../../web/src/collab/SavePill.tsx'
import { saveExplanation, saveText } from '../../../web/src/collab/saveText.ts'

const save = (state: SaveStatus['state'], overrides: Partial<SaveStatus> = {}): SaveStatus => ({
  state,
  isProven: state !== 'offline',
  unsent: 0,
  isKept: true,
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
    { status: save('offline', { unsent: 1, isKept: false }), text: 'Disconnected, 1 change on this page only' },
    {
      status: save('problem', {
        problems: ['b', 'c'].map((id) => ({ entity: 'comments', id, message: 'too long' })),
      }),
      text: 'Not saved: 2 items',
    },
  ])('says "$text"', ({ status, text }) => {
    expect(saveText(status)).toBe(text)
  })
})

describe('saveExplanation', () => {
  it('calls what is not saved by its name, where it has one', () => {
    const problems = ['b', 'gone'].map((id) => ({ entity: 'comments', id, message: 'too long' }))
    const nameOf = ({ id }: { id: string }) => (id === 'b' ? 'a comment' : undefined)
    const text = saveExplanation(save('problem', { problems }), { heardAt: null, nameOf })
    expect(text).toBe('a comment: too long · too long')
  })
})

describe('SavePill', () => {
  const spoken = () => screen?.container.querySelector('output')?.textContent

  it('can be reached by keyboard and shows the word', async () => {
    screen = await renderScreen(<SavePill canWrite save={save('received')} heardAt={null} />)
    const pill = screen.container.querySelector('button')
    expect(pill?.textContent).toContain('Received')
    expect(pill?.tabIndex).toBe(0)
  })

  it('tells people who only read that they see it live', async () => {
    screen = await renderScreen(<SavePill canWrite={false} save={save('saved')} heardAt={null} />)
    expect(screen.container.querySelector('button')?.textContent).toBe('Live')
    await screen.rerender(<SavePill canWrite={false} save={save('offline')} heardAt={null} />)
    expect(screen.container.querySelector('button')?.textContent).toBe('Disconnected')
  })

  it('says for how long there has been no word, second by second, and says it aloud without', async () => {
    const clock = new FakeClock()
    const heardAt = clock.now() - 3_000
    screen = await renderScreen(<SavePill canWrite save={save('saved')} heardAt={null} />, { clock })
    await screen.rerender(<SavePill canWrite save={save('offline', { unsent: 2 })} heardAt={heardAt} />)
    const pill = () => screen?.container.querySelector('button')?.textContent
    expect(pill()).toBe('Disconnected 00:03, 2 changes kept')
    await screen.advance(9_000)
    expect(pill()).toBe('Disconnected 00:12, 2 changes kept')
    expect(spoken()).toBe('Disconnected, 2 changes kept')
  })

  it('does not speak with every word typed', async () => {
    screen = await renderScreen(<SavePill canWrite save={save('saved')} heardAt={null} />)
    for (const state of ['typed', 'received', 'saved', 'typed', 'received', 'saved'] as const) {
      await screen.rerender(<SavePill canWrite save={save(state)} heardAt={null} />)
      await screen.advance(1_000)
      expect(spoken()).toBe('')
    }
  })

  it('speaks at most every five seconds, and then the latest', async () => {
    screen = await renderScreen(<SavePill canWrite save={save('saved')} heardAt={null} />)
    await screen.rerender(<SavePill canWrite save={save('offline')} heardAt={null} />)
    await screen.advance(10)
    expect(spoken()).toBe('Disconnected')
    await screen.rerender(<SavePill canWrite save={save('offline', { unsent: 1 })} heardAt={null} />)
    await screen.advance(1_000)
    await screen.rerender(<SavePill canWrite save={save('offline', { unsent: 2 })} heardAt={null} />)
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
    await screen.rerender(<OfflineBanner isLongOffline save={save('offline', { unsent: 1, isKept: false })} />)
    expect(screen.container.textContent).toContain(
      'One change is on this page only: your browser can’t keep changes. Leave this page open',
    )
  })
})
