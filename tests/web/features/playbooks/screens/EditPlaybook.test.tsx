import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'
import { buildTopicView } from '#support/web/topicView.ts'

import { PlaybookScreen } from '../../../../../web/src/features/playbooks/screens/PlaybookScreen.tsx'

const ID = '018f0000-0000-7000-8000-0000000000a1'

// Another person has the same playbook open.
vi.mock('../../../../../web/src/live/useTopic.ts', () => ({
  useTopic: () => buildTopicView([{ id: '7', userId: 'user-2', name: 'Bo' }]),
}))
// The editor draws nothing without a real browser.
vi.mock('../../../../../web/src/editor/YamlEditor.tsx', () => ({
  YamlEditor: ({ value }: { value: string }) => <textarea aria-label="Spec" value={value} readOnly />,
}))
const { useParams } = vi.hoisted(() => ({ useParams: vi.fn<() => { id: string }>() }))
vi.mock('@tanstack/react-router', async (load) => ({ ...(await load<object>()), useParams }))
const toasts: string[] = []
vi.mock('../../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))

let screen: RenderedScreen
let server: FakeServer
const ROW = {
  id: ID,
  name: 'restart',
  title: 'Restart',
  source: 'UI',
  spec: { actions: [{ name: 'a', delay: '5s' }] },
  updated_at: '2026-01-01T00:00:00Z',
}

beforeEach(async () => {
  toasts.length = 0
  useParams.mockReturnValue({ id: ID })
  server = createFakeServer()
  server.on('GET /api/db/playbooks', () => json([ROW]))
  screen = await renderScreen(<PlaybookScreen />, { address: `/playbooks/${ID}` })
  await eventually(() => {
    if (title() === null) throw new Error('no title is shown')
  })
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const title = (): Element | null => {
  const label = [...document.querySelectorAll('label')].find(({ textContent }) => textContent.startsWith('Title'))
  return label ? document.getElementById(label.htmlFor) : null
}
const save = async (): Promise<void> => {
  await setField(title(), 'Restart all')
  await screen.click([...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Save') ?? null)
}

it('is saved over the version that was edited, says so, and leads to the cards', async () => {
  const bodies: unknown[] = []
  server.on('PATCH /api/db/playbooks', (url, init) => {
    bodies.push([url.searchParams.get('updated_at'), (JSON.parse(init.body as string) as { title: string }).title])
    return json([{ ...ROW, title: 'Restart all' }])
  })
  await save()
  await screen.waitFor(() => expect(toasts).toEqual(['Playbook Spec updated successfully']))
  expect(bodies).toEqual([[`eq.${ROW.updated_at}`, 'Restart all']])
  expect(screen.path()).toBe('/playbooks')
})

it('says in the words of the specification why it was not saved, and loses nothing', async () => {
  server.on('PATCH /api/db/playbooks', () => json(refusal('FORBIDDEN', 'scripts are an administrator’s to save'), 403))
  await save()
  await screen.waitFor(() =>
    expect(toasts).toEqual(['error: Unable to update playbook spec: scripts are an administrator’s to save']),
  )
  expect((title() as HTMLInputElement).value).toBe('Restart all')
})

it('shows who else has it open', () => {
  expect([...document.querySelectorAll('.collab-peers button')].map((face) => face.getAttribute('aria-label'))).toEqual(
    ['Bo, here'],
  )
})
