import type { Role } from '@watchroom/shared/access'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { act, type ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen, type ScreenOptions } from '#support/web/renderScreen.tsx'

import { PaletteHost } from '../../../../web/src/app/palette/PaletteHost.tsx'
// Loaded with the first touch of the page; here beforehand, so that no test waits for it.
import '../../../../web/src/app/palette/paletteParts.ts'
import { CommandButton } from '../../../../web/src/ui/CommandButton.tsx'
import { type Command, useCommand } from '../../../../web/src/ui/commands.ts'

let server: FakeServer
let screen: RenderedScreen
const page = pageOf()
const asked: unknown[] = []

beforeEach(() => {
  asked.length = 0
  server = createFakeServer()
  server.on('GET /api/properties', () => json([]))
  server.on('POST /api/resources/search', (_url, { body }) => {
    asked.push(JSON.parse(body as string))
    return json({
      checks: [{ id: 'c1', agent: 'a', name: 'print api', namespace: 'east', type: 'http', status: 'unhealthy' }],
      incidents: [
        {
          id: 'i1',
          agent: 'a',
          name: 'Printers stand still',
          namespace: '',
          type: 'x',
          status: 'open',
          alias: 'INC-7',
        },
      ],
    })
  })
})
afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

const field = () => page.get('combobox')
const options = () => page.all('option').map(({ textContent }) => textContent)
const active = () => document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent
const type = (text: string) => screen.type(field(), text)

async function pressPaletteKey(init: KeyboardEventInit = { ctrlKey: true }): Promise<void> {
  await act(async () => {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', bubbles: true, cancelable: true, ...init }))
  })
  await screen.advance(0)
}

async function render(content: ReactNode, options: ScreenOptions): Promise<void> {
  screen = await renderScreen(
    <>
      <PaletteHost />
      {content}
    </>,
    options,
  )
}

async function open(content: ReactNode = null, roles: readonly Role[] = ['admin']): Promise<void> {
  await render(content, { roles })
  await pressPaletteKey()
  await screen.waitFor(() => expect(field()).toBe(document.activeElement))
}

describe('the palette', () => {
  it.each([{ ctrlKey: true }, { metaKey: true }])(
    'opens on %j and lists where one may go, without asking anyone',
    async (keys) => {
      await render(null, { roles: ['admin'] })
      await pressPaletteKey({ ...keys, shiftKey: true })
      expect(page.find('combobox')).toBeNull()
      await pressPaletteKey(keys)
      await screen.waitFor(() => expect(options()).toContain('Incidents'))
      expect(active()).toBe(options()[0])
      expect(asked).toEqual([])
    },
  )

  it('has its key and no button on a screen that fills the window', async () => {
    screen = await renderScreen(<PaletteHost isKeyAlone />, { roles: ['viewer'] })
    expect(page.all('button')).toEqual([])
    await pressPaletteKey()
    await screen.waitFor(() => expect(options()).toContain('Health'))
  })

  it('goes to a place by the keys alone, gives the focus back, and remembers it', async () => {
    await open(<button type="button">Before</button>)
    await type('feat')
    expect(options()).toEqual(['Feature FlagsSettings'])
    await screen.press('Enter', field())
    await screen.waitFor(() => expect(screen.path()).toBe('/settings/feature-flags'))
    expect(page.find('combobox')).toBeNull()
    await pressPaletteKey()
    await screen.waitFor(() => expect(options()[0]).toBe('Feature FlagsSettings'))
    expect(page.text()).toContain('Recent')
    expect(options().filter((text) => text?.startsWith('Feature Flags'))).toHaveLength(1)
  })

  it('asks for resources after 300 ms of silence, once, only for what may be read', async () => {
    await open(null, ['commander'])
    await type('pr')
    await screen.advance(299)
    await type('pri')
    await screen.advance(299)
    expect(asked).toEqual([])
    expect(page.get('status').textContent).toBe('Searching…')
    await screen.advance(1)
    await screen.waitFor(() => expect(options()).toContain('print apihttp · east'))
    expect(asked).toEqual([
      {
        limit: 6,
        ...Object.fromEntries(
          ['incidents', 'checks', 'components', 'configs', 'playbooks', 'people'].map((kind) => [
            kind,
            [{ search: 'pri', agent: 'all' }],
          ]),
        ),
      },
    ])
    expect(page.get('status').textContent).toBe('2 results')
    expect(options()).toEqual(['Printers stand stillINC-7 · open', 'print apihttp · east'])
  })

  it('keeps the choice on what it was on when finds arrive', async () => {
    await open()
    await type('heal')
    expect(options()).toEqual(['Health', 'Health CheckSettings'])
    await screen.press('ArrowDown', field())
    expect(active()).toBe('Health CheckSettings')
    await screen.advance(300)
    await screen.waitFor(() => expect(options()).toHaveLength(4))
    expect(active()).toBe('Health CheckSettings')
    await screen.press('ArrowUp', field())
    await screen.press('ArrowUp', field())
    expect(active()).toBe(options().at(-1))
  })

  it('draws no row again that has not changed when finds arrive', async () => {
    // React gives an element other properties whenever it draws it.
    const drawn = (row: Element): unknown => Object.entries(row).find(([name]) => name.startsWith('__reactProps$'))?.[1]
    await open(<CommandButton command="Print this page" icon={<svg />} onClick={vi.fn()} />)
    await type('pri')
    await screen.advance(300)
    await screen.waitFor(() => expect(options()).toHaveLength(3))
    await type('prin')
    const rows = page.all('option')
    const before = rows.map(drawn)
    expect(before).not.toContain(undefined)
    await screen.advance(300)
    await screen.waitFor(() => expect(asked).toHaveLength(2))
    await screen.waitFor(() => expect(page.get('status').textContent).toBe('3 results'))
    expect(page.all('option')).toEqual(rows)
    expect(rows.map(drawn).map((now, at) => now === before[at])).toEqual([true, true, true])
  })

  it('leads to what was found', async () => {
    await open()
    await type(':pri')
    await screen.advance(300)
    await screen.waitFor(() => expect(options()).toEqual(['print apihttp · east']))
    expect(asked).toEqual([{ limit: 6, checks: [{ search: 'pri', agent: 'all' }] }])
    await screen.click(page.get('option'))
    await screen.waitFor(() => expect([screen.path(), screen.search()]).toEqual(['/health', '?checkId=c1']))
  })

  it.each([
    { role: 'admin', leadsTo: '/settings/users?id=p1' },
    { role: 'editor', leadsTo: '/incidents?owner=p1&status=all' },
  ] as const)('leads a $role from a person to what they may read of them', async ({ role, leadsTo }) => {
    await open(null, [role])
    server.on('POST /api/resources/search', () =>
      json({ people: [{ id: 'p1', agent: 'a', name: 'Prisca', namespace: '', type: 'person' }] }),
    )
    await type('@pri')
    await screen.advance(300)
    await screen.waitFor(() => expect(options()).toEqual(['Prisca']))
    await screen.click(page.get('option'))
    await screen.waitFor(() => expect(`${screen.path()}${screen.search()}`).toBe(leadsTo))
  })

  it('never runs what an earlier word found', async () => {
    await open()
    await type('pri')
    await screen.advance(300)
    await screen.waitFor(() => expect(options()).toContain('Printers stand stillINC-7 · open'))
    await type('printers')
    expect(options()).toEqual(['Printers stand stillINC-7 · open'])
    await type('prix')
    expect(options()).toEqual([])
    await screen.press('Enter', field())
    expect([screen.path(), page.find('combobox') === null]).toEqual(['/', false])
  })

  it('says why resources are missing, and has the places still', async () => {
    server.on('POST /api/resources/search', () => {
      throw new TypeError('offline')
    })
    await open()
    await type('inc')
    await screen.advance(300)
    await screen.waitFor(() => expect(page.text()).toContain('Only places and commands: '))
    expect(options()).toEqual(['Incidents'])
    await screen.press('Enter', field())
    await screen.waitFor(() => expect(screen.path()).toBe('/incidents'))
  })

  it('says when nothing answers', async () => {
    server.on('POST /api/resources/search', () => json({}))
    await open()
    await type('zzz')
    await screen.advance(300)
    await screen.waitFor(() => expect(page.text()).toContain('Nothing matches “zzz”'))
    expect(field().getAttribute('aria-expanded')).toBe('false')
  })
})

describe('commands', () => {
  it.each([
    { who: 'a person', userId: 'user-1', found: ['Sign out'] },
    { who: 'everyone, where nobody signs in', userId: NIL_UUID, found: [] },
  ])('let $who sign out: $found', async ({ userId, found }) => {
    await render(null, { roles: ['editor'], userId })
    await pressPaletteKey()
    await screen.waitFor(() => expect(field()).toBe(document.activeElement))
    await type('>sign out')
    expect(options()).toEqual(found)
    await type('>theme')
    expect(options()).toEqual(['Set theme to …'])
  })

  it('are the buttons of the page, pressed once the palette is gone', async () => {
    const pressed = vi.fn(() => expect(page.find('combobox')).toBeNull())
    await open(
      <>
        <CommandButton command="Expand all" onClick={pressed} />
        <CommandButton command="Undo" disabled />
        <CommandButton command="Run Now" disabledReason="You may not run checks." onClick={pressed} />
      </>,
    )
    expect(options().slice(0, 2)).toEqual(['Expand all', 'Run NowYou may not run checks.'])
    await type('>run')
    expect(options()).toEqual(['Run NowYou may not run checks.'])
    expect(page.get('option').getAttribute('aria-disabled')).toBe('true')
    await screen.press('Enter', field())
    expect(pressed).not.toHaveBeenCalled()
    await type('>exp')
    await screen.press('Enter', field())
    await screen.waitFor(() => expect(pressed).toHaveBeenCalledOnce())
  })

  it('ask for their arguments one after the other, and step back', async () => {
    const run = vi.fn()
    const ana = { id: 'ana', title: 'Ana Ruiz', note: 'ana@test.local' }
    const command: Command = {
      title: 'Assign … to …',
      steps: [
        {
          prompt: () => 'Assign … to …',
          choices: () => [
            { id: 'c', title: 'Commander' },
            { id: 'd', title: 'Deputy' },
          ],
        },
        {
          prompt: ([what]) => `Assign ${what?.title ?? ''} to …`,
          choices: ([what]) => (what?.id === 'd' ? [ana] : []),
        },
      ],
      onRun: run,
    }
    const Offer = (): null => {
      useCommand(command)
      return null
    }
    await open(<Offer />)
    await type('assign')
    await screen.press('Enter', field())
    expect(field().getAttribute('aria-label')).toBe('Assign … to …')
    expect(options()).toEqual(['Commander', 'Deputy'])
    await type('dep')
    await screen.press('Enter', field())
    expect(field().getAttribute('aria-label')).toBe('Assign Deputy to …')
    await screen.press('Backspace', field())
    expect(options()).toEqual(['Commander', 'Deputy'])
    await screen.press('ArrowDown', field())
    await screen.press('Enter', field())
    await type('ru')
    expect(options()).toEqual(['Ana Ruizana@test.local'])
    await screen.press('Enter', field())
    await screen.waitFor(() => expect(run).toHaveBeenCalledOnce())
    const [chosen = []] = run.mock.calls[0] as unknown[][]
    expect(chosen).toMatchObject([{ id: 'd' }, { id: 'ana' }])
    // A command may tell its choices apart by what they are.
    expect(chosen[1]).toBe(ana)
    expect(asked).toEqual([])
  })
})
