import { LIMITS } from '@watchroom/shared/collab'
import { act, Profiler, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { ANA, BO, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld, type Page, titleAt } from '#support/incidentWorld.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { encodeCaret } from '../../../web/src/collab/caretPosition.ts'
import { CollabText, CollabTextArea } from '../../../web/src/collab/CollabText.tsx'
import { IncidentRoomProvider } from '../../../web/src/collab/IncidentRoomProvider.tsx'
import { useIncidentPart } from '../../../web/src/collab/useIncident.ts'

const QUEUE = testId('h', 2)
const PRINTER = testId('h', 3)
const FIELD = `hypotheses/${QUEUE}/title`

let world: IncidentWorld
let ana: Page
let bo: Page
let screen: RenderedScreen

beforeEach(async () => {
  world = await createIncidentWorld()
  ana = await world.openPage({ userId: ANA, name: 'Ana' })
  bo = await world.openPage({ userId: BO, name: 'Bo' })
})
afterEach(async () => {
  await screen.close()
  await world.close()
})

function TitleScreen() {
  const room = useIncidentPart((room) => room)
  if (room.state !== 'ready') return <p>{room.state}</p>
  return <CollabText text={room.edit.hypothesisTitle(QUEUE)} field={FIELD} aria-label="Title" />
}

async function open(): Promise<void> {
  screen = await renderScreen(
    <IncidentRoomProvider id={INCIDENT} connection={ana}>
      <TitleScreen />
      <input aria-label="Search" />
    </IncidentRoomProvider>,
    { clock: world.clock },
  )
}

const input = (): HTMLInputElement => {
  const found = screen.container.querySelector<HTMLInputElement>('[data-collab-field] input')
  if (!found) throw new Error('there is no field')
  return found
}

async function type(value: string, caret = value.length): Promise<void> {
  await act(async () => {
    input().value = value
    input().setSelectionRange(caret, caret)
    input().dispatchEvent(new Event('input', { bubbles: true }))
  })
  await screen.advance(300)
}

const press = async (target: Element, init: KeyboardEventInit): Promise<boolean> => {
  const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init })
  await act(async () => target.dispatchEvent(event))
  await screen.advance(300)
  return event.defaultPrevented
}

describe('CollabText', () => {
  it('shows the shared text and sends what is typed', async () => {
    await open()
    expect(input().value).toBe('Queue is full')
    await type('Queue is stuck')
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
  })

  it('shows what others type, with the caret where it was', async () => {
    await open()
    input().focus()
    input().setSelectionRange(5, 5)
    bo.edit.replaceText(bo.edit.hypothesisTitle(QUEUE), 'The Queue is full')
    await screen.advance(300)
    expect(input().value).toBe('The Queue is full')
    expect(input().selectionStart).toBe(9)
  })

  it('takes the limit of the document and no longer text', async () => {
    await open()
    expect(input().maxLength).toBe(LIMITS.titleLength)
    await type('x'.repeat(LIMITS.titleLength + 5))
    expect(titleAt(world, QUEUE)).toHaveLength(LIMITS.titleLength)
  })

  it('is left by Enter, with what was typed', async () => {
    await open()
    await act(async () => input().focus())
    await type('Queue is stuck')
    await press(input(), { key: 'Enter' })
    expect(document.activeElement).not.toBe(input())
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
  })

  it('leaves Enter to an input method', async () => {
    await open()
    await act(async () => input().focus())
    await press(input(), { key: 'Enter', isComposing: true })
    expect(document.activeElement).toBe(input())
  })

  it('tells others where the caret is while the field has it, and that someone types', async () => {
    await open()
    await act(async () => {
      input().focus()
      input().setSelectionRange(2, 5)
      document.dispatchEvent(new Event('selectionchange'))
    })
    await screen.advance(300)
    const text = bo.edit.hypothesisTitle(QUEUE)
    const peer = () => bo.room().peers[0]
    expect(peer()?.editing).toEqual({
      entity: `hypotheses/${QUEUE}`,
      field: 'title',
      anchor: encodeCaret(text, 2),
      head: encodeCaret(text, 5),
    })
    await type('Queue is stuck')
    expect(peer()?.typing).toBe(true)
    await screen.advance(2_500)
    expect(peer()?.typing).toBe(false)
    await act(async () => input().blur())
    await screen.advance(300)
    expect(peer()?.editing).toBeNull()
  })

  it('shows who else is in the field: ring, caret and selection for the eye, a sentence for a screen reader', async () => {
    await open()
    expect(screen.container.querySelector('.collab-mirror')).toBeNull()
    const text = bo.edit.hypothesisTitle(QUEUE)
    bo.room().setPlace({
      editing: {
        entity: `hypotheses/${QUEUE}`,
        field: 'title',
        anchor: encodeCaret(text, 0),
        head: encodeCaret(text, 5),
      },
    })
    await screen.advance(300)
    const color = String(bo.room().self.color)
    expect(screen.container.querySelector('.collab-ring')?.getAttribute('data-peer-color')).toBe(color)
    const mirror = screen.container.querySelector('.collab-mirror')
    expect(mirror?.getAttribute('aria-hidden')).toBe('true')
    expect(mirror?.querySelector('.collab-selection')?.textContent).toBe('Queue')
    expect(mirror?.querySelector('.collab-caret')?.getAttribute('data-peer-color')).toBe(color)
    const description = input().getAttribute('aria-describedby') ?? ''
    expect(document.querySelector(`[id="${description}"]`)?.textContent).toBe('Bo is editing this')
    // The caret stays with its neighbors while others type before it.
    await type('My Queue is full')
    expect(screen.container.querySelector('.collab-selection')?.textContent).toBe('Queue')
    bo.room().setPlace({ editing: null })
    await screen.advance(300)
    expect(screen.container.querySelector('.collab-mirror')).toBeNull()
  })

  it('becomes read-only with the role, at once', async () => {
    await open()
    expect(input().readOnly).toBe(false)
    const socket = world.server.sockets[0]
    if (socket) world.server.room?.changeRole(socket.peer, { canWrite: false, isModerator: false })
    await screen.advance(300)
    expect(input().readOnly).toBe(true)
    await type('Queue is stuck')
    expect(input().value).toBe('Queue is full')
  })

  it('takes Ctrl+Z for the document, also outside of fields, but not in fields of the page', async () => {
    await open()
    await type('Queue is stuck')
    expect(await press(input(), { key: 'z', ctrlKey: true })).toBe(true)
    expect(input().value).toBe('Queue is full')
    await press(document.body, { key: 'Z', ctrlKey: true, shiftKey: true })
    expect(input().value).toBe('Queue is stuck')
    const search = screen.container.querySelector('[aria-label="Search"]')
    expect(search && (await press(search, { key: 'z', ctrlKey: true }))).toBe(false)
    expect(input().value).toBe('Queue is stuck')
    await press(document.body, { key: 'z', metaKey: true })
    expect(titleAt(world, QUEUE)).toBe('Queue is full')
  })

  it('binds the new document after a refusal', async () => {
    await open()
    const text = ana.edit.hypothesisTitle(QUEUE)
    await act(async () => text.insert(0, 'x'.repeat(LIMITS.titleLength)))
    await screen.advance(2_000)
    expect(input().value).toBe('Queue is full')
    await type('Queue is stuck')
    expect(titleAt(world, QUEUE)).toBe('Queue is stuck')
  })
})

describe('CollabTextArea', () => {
  it('keeps Enter for new lines and is left by Ctrl+Enter', async () => {
    const Area = () => (
      <CollabTextArea
        text={useIncidentPart((room) => room).edit.incidentText('description')}
        field="incident/description"
        aria-label="Description"
      />
    )
    screen = await renderScreen(
      <IncidentRoomProvider id={INCIDENT} connection={ana}>
        <Area />
      </IncidentRoomProvider>,
      { clock: world.clock },
    )
    const area = screen.container.querySelector('textarea')
    if (!area) throw new Error('there is no text area')
    expect(area.maxLength).toBe(LIMITS.descriptionLength)
    await act(async () => {
      area.focus()
      area.value = 'one\ntwo'
      area.dispatchEvent(new Event('input', { bubbles: true }))
    })
    expect(await press(area, { key: 'Enter' })).toBe(false)
    expect(document.activeElement).toBe(area)
    await press(area, { key: 'Enter', ctrlKey: true })
    expect(document.activeElement).not.toBe(area)
    expect(bo.room().view.incident.description).toBe('one\ntwo')
  })
})

describe('useIncidentPart', () => {
  it('renders a row only when its own entity changes', async () => {
    const renders: string[] = []
    const Row = ({ id }: { id: string }) => <p>{useIncidentPart((room) => room.view.hypotheses.get(id))?.title}</p>
    const Rows = () => {
      const [rows] = useState(
        [QUEUE, PRINTER].map((id) => (
          <Profiler key={id} id={id} onRender={(rendered) => renders.push(rendered)}>
            <Row id={id} />
          </Profiler>
        )),
      )
      return rows
    }
    screen = await renderScreen(
      <IncidentRoomProvider id={INCIDENT} connection={ana}>
        <Rows />
      </IncidentRoomProvider>,
      { clock: world.clock },
    )
    renders.length = 0
    bo.edit.replaceText(bo.edit.hypothesisTitle(QUEUE), 'Queue is stuck')
    bo.room().setPlace({ viewing: { entity: `hypotheses/${PRINTER}` } })
    await screen.advance(300)
    expect(screen.container.textContent).toContain('Queue is stuck')
    expect(renders).toEqual([QUEUE])
  })
})
