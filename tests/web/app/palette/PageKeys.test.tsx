import type { Role } from '@watchroom/shared/access'
import type { FeatureArea } from '@watchroom/shared/settings'
import { useRef } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { PageKeys } from '../../../../web/src/app/palette/PageKeys.tsx'
import { PageHeader } from '../../../../web/src/ui/PageHeader.tsx'

let screen: RenderedScreen
const pressed: string[] = []
const note = (what: string) => (): void => void pressed.push(what)

beforeEach(() => {
  pressed.length = 0
  createFakeServer().on('GET /gateway/backend', () => json({}, 404))
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const NONE: readonly Event[] = []
function Keys({ early = NONE }: { early?: readonly Event[] }) {
  return <PageKeys early={useRef(early)} />
}

interface Options {
  roles?: readonly Role[]
  disabled?: readonly FeatureArea[]
  early?: readonly Event[]
}

async function open({ roles = ['editor'], disabled = [], early }: Options = {}): Promise<void> {
  screen = await renderScreen(
    <>
      <Keys {...(early ? { early } : {})} />
      <PageHeader
        title="Silences"
        action={{ text: 'Silence', icon: <i />, onClick: note('create') }}
        controls={
          <button type="button" aria-keyshortcuts="e" onClick={note('edit')}>
            Edit
          </button>
        }
        refresh={{ onRefresh: note('refresh'), isLoading: false }}
      />
      <input aria-label="Search" />
    </>,
    { address: '/settings/agents', roles, disabled },
  )
}
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await screen.press(key, document.body)
}

describe('keys of every page', () => {
  it.each([
    ['h', '/health'],
    ['i', '/incidents'],
    ['c', '/catalog'],
    ['t', '/topology'],
    ['p', '/playbooks'],
    ['l', '/logs'],
  ])('lead to an area: g %s to %s', async (letter, path) => {
    await open()
    await press('g', letter)
    expect(screen.path()).toBe(path)
    expect(pressed).toEqual([])
  })

  it('lead to the settings', async () => {
    await open()
    await screen.go('/health')
    await press('g', 's')
    expect(screen.path()).toMatch(/^\/settings\//)
  })

  it('lead nowhere that the sidebar does not: what is switched off, or nobody’s to see', async () => {
    await open({ disabled: ['logs'], roles: ['viewer'] })
    await press('g', 'l')
    await press('g', 's')
    await press('l')
    expect(screen.path()).toBe('/settings/agents')
  })

  it('press the button of the page that says so', async () => {
    await open()
    await press('c', 'e', 'r')
    expect(pressed).toEqual(['create', 'edit', 'refresh'])
  })

  it('press once, however long they are held down', async () => {
    await open()
    await press('r')
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', repeat: true, bubbles: true }))
    expect(pressed).toEqual(['refresh'])
  })

  it('run again where the page runs something, and refresh nothing then', async () => {
    screen = await renderScreen(
      <>
        <Keys />
        <PageHeader
          title="Run"
          action={{ text: 'Re-run playbook', icon: <i />, hotkey: 'r', onClick: note('run') }}
          refresh={{ onRefresh: note('refresh'), isLoading: false }}
        />
      </>,
    )
    await press('c', 'r')
    expect(pressed).toEqual(['run'])
  })

  it('are left to who is writing, to chords, and to a dialog above the page', async () => {
    await open()
    await screen.press('c', document.querySelector('input'))
    const chord = new KeyboardEvent('keydown', { key: 'c', ctrlKey: true, bubbles: true })
    document.body.dispatchEvent(chord)
    const dialog = document.createElement('div')
    dialog.setAttribute('role', 'dialog')
    document.body.append(dialog)
    await press('c', 'r', 'g', 'h')
    expect([pressed, screen.path()]).toEqual([[], '/settings/agents'])
    const inside = document.createElement('button')
    inside.setAttribute('aria-keyshortcuts', 'e')
    inside.addEventListener('click', note('inside'))
    dialog.append(inside)
    await press('e')
    expect(pressed).toEqual(['inside'])
  })

  it('count from the first touch of the page', async () => {
    const early = ['g', 'h'].map((key) => {
      const event = new KeyboardEvent('keydown', { key, bubbles: true })
      document.body.dispatchEvent(event)
      return event
    })
    await open({ early })
    await screen.waitFor(() => expect(screen.path()).toBe('/health'))
  })
})
