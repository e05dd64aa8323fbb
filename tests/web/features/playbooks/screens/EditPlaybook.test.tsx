import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'
import { buildTopicView } from '#support/web/topicView.ts'

import { backendFactsKey } from '../../../../../web/src/api/queryKeys.ts'
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

const open = async (): Promise<void> => {
  screen = await renderScreen(<PlaybookScreen />, { address: `/playbooks/${ID}` })
  await eventually(() => {
    if (title() === null) throw new Error('no title is shown')
  })
}

beforeEach(async () => {
  toasts.length = 0
  useParams.mockReturnValue({ id: ID })
  server = createFakeServer()
  server.on('GET /api/db/playbooks', () => json([ROW]))
  await open()
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
const button = (text: string): Element | null =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text) ?? null
const save = async (): Promise<void> => {
  await setField(title(), 'Restart all')
  await screen.click(button('Save'))
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

describe('with a step that is not known here', () => {
  const stranger = { ...ROW, spec: { actions: [{ name: 'a', gitops: { repo: { url: 'https://git' } } }] } }
  const bodies: unknown[] = []
  beforeEach(async () => {
    bodies.length = 0
    server.on('PATCH /api/db/playbooks', (_url, init) => {
      bodies.push((JSON.parse(init.body as string) as { spec: unknown }).spec)
      return json([stranger])
    })
    server.on('GET /api/db/playbooks', () => json([stranger]))
    await screen.close()
    document.body.replaceChildren()
    await open()
  })

  it('is saved as it is where the backend has schemas of its own, and says what that is', async () => {
    await act(async () =>
      screen.queryClient.setQueryData(backendFactsKey, { changes: 'polled', missing: ['specJudges'] }),
    )
    await screen.waitFor(() =>
      expect(document.body.textContent).toContain(
        'Line 2: actions.0: Unrecognized key: "gitops". This backend may know',
      ),
    )
    await save()
    await screen.waitFor(() => expect(bodies).toEqual([stranger.spec]))
  })

  it('is refused where ours would run it', async () => {
    await save()
    await screen.waitFor(() =>
      expect(document.body.textContent).toContain('Line 2: actions.0: Unrecognized key: "gitops"'),
    )
    expect(document.body.textContent).not.toContain('Not known here')
    expect(bodies).toEqual([])
  })
})

it('says in the words of the specification why it was not saved, and loses nothing', async () => {
  server.on('PATCH /api/db/playbooks', () => json(refusal('FORBIDDEN', 'scripts are an administrator’s to save'), 403))
  await save()
  await screen.waitFor(() =>
    expect(toasts).toEqual(['error: Unable to update playbook spec: scripts are an administrator’s to save']),
  )
  expect((title() as HTMLInputElement).value).toBe('Restart all')
})

it('says at the spec what the server refuses of it, and goes there', async () => {
  const message = 'spec.actions.0.if: there is no such function'
  server.on('PATCH /api/db/playbooks', () => json(refusal('PROXY_BACKEND_REFUSED', message, '23514'), 400))
  await save()
  const spec = pageOf().field('Spec')
  await screen.waitFor(() => expect(document.body.textContent).toContain('there is no such function'))
  expect(toasts).toEqual([])
  expect(document.activeElement?.contains(spec)).toBe(true)
})

it('says at the category that it has one of this name already', async () => {
  const details = 'Key (namespace, name, category)=(…) already exists.'
  const taken = refusal('PROXY_BACKEND_REFUSED', 'duplicate key value', '23505', details)
  server.on('PATCH /api/db/playbooks', () => json(taken, 409))
  await save()
  await screen.waitFor(() => expect(document.body.textContent).toContain('This category has another playbook'))
  expect(document.activeElement).toBe(pageOf().field(/^Category/))
  expect(toasts).toEqual([])
})

it('has unsaved work back after a reload, and gives it up when told to', async () => {
  await setField(title(), 'Restart all')
  await screen.close()
  document.body.replaceChildren()
  await open()
  expect((title() as HTMLInputElement).value).toBe('Restart all')
  await screen.click(button('Discard them'))
  expect((title() as HTMLInputElement).value).toBe('Restart')
  await screen.close()
  document.body.replaceChildren()
  await open()
  expect(document.body.textContent).not.toContain('Your unsaved changes are back')
  expect((title() as HTMLInputElement).value).toBe('Restart')
})

it('forgets unsaved work that was saved', async () => {
  server.on('PATCH /api/db/playbooks', () => json([{ ...ROW, title: 'Restart all' }]))
  await save()
  await screen.waitFor(() => expect(toasts).toEqual(['Playbook Spec updated successfully']))
  await screen.close()
  document.body.replaceChildren()
  await open()
  expect(document.body.textContent).not.toContain('Your unsaved changes are back')
})

it('shows both versions before work of an earlier visit replaces what was saved since', async () => {
  const saves: string[] = []
  server.on('PATCH /api/db/playbooks', (url) => {
    saves.push(url.searchParams.get('updated_at') ?? '')
    return json([ROW])
  })
  await setField(title(), 'Restart all')
  await screen.close()
  document.body.replaceChildren()
  const newer = { ...ROW, title: 'Restart one', updated_at: '2026-01-02T00:00:00Z' }
  server.on('GET /api/db/playbooks', () => json([newer]))
  await open()
  await screen.click(button('Save'))
  await screen.waitFor(() => expect(document.body.textContent).toContain('# title: Restart one'))
  expect(saves).toEqual([])
  await screen.click(button('Overwrite with mine'))
  await screen.waitFor(() => expect(saves).toEqual([`eq.${newer.updated_at}`]))
})

it('shows who else has it open', () => {
  const others = pageOf().within(pageOf().get('list', '1 other here'))
  expect(others.all('button').map((face) => face.getAttribute('aria-label'))).toEqual(['Bo, here'])
})
