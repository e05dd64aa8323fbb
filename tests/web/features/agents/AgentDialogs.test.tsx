import type { Role } from '@watchroom/shared/access'
import { type AgentSummary, AgentSummarySchema } from '@watchroom/shared/agents'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'
import { buildTopicView } from '#support/web/topicView.ts'

import { AgentList } from '../../../../web/src/features/agents/components/AgentList.tsx'

const ID = '018f0000-0000-7000-8000-000000000001'
const TOKEN = 'c2VjcmV0.c2FsdA.1.8192.1'

const buildAgent = (overrides: Partial<AgentSummary> = {}): AgentSummary =>
  AgentSummarySchema.parse({
    id: ID,
    name: 'edge',
    properties: { region: 'eu' },
    updated_at: '2026-01-01T00:00:00.123456+00:00',
    last_seen: '2025-12-31T23:59:55Z',
    status: 'online',
    ...overrides,
  })

/** Every toast so far, in the product's own words. */
const toasts: string[] = []
vi.mock('../../../../web/src/ui/toaster.ts', () => ({
  showToast: (text: string) => toasts.push(text),
  showErrorToast: (text: string) => toasts.push(`error: ${text}`),
}))

let screen: RenderedScreen
let server: FakeServer
const bodies: unknown[] = []

beforeEach(() => {
  bodies.length = 0
  toasts.length = 0
  server = createFakeServer()
})
afterEach(async () => {
  await screen.close()
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function open(address: string, agents: AgentSummary[] = [buildAgent()], roles: readonly Role[] = ['admin']) {
  screen = await renderScreen(<AgentList topic={buildTopicView(agents)} />, { address, roles })
}
const update = (agents: AgentSummary[]) => screen.rerender(<AgentList topic={buildTopicView(agents)} />)

const dialog = () => document.querySelector('[role="dialog"]')
const said = () => [...document.querySelectorAll('[role="dialog"]')].map((each) => each.textContent).join(' ')
/** The control of the dialog that is called so, by its own label or by one beside it. */
const field = (label: string): Element | null => {
  const controls = [...(dialog()?.querySelectorAll<HTMLInputElement>('input, select') ?? [])]
  return (
    controls.find((control) => (control.getAttribute('aria-label') ?? textOf(control.labels?.[0])).startsWith(label)) ??
    null
  )
}
const textOf = (element: Element | undefined): string => element?.textContent ?? ''
const button = (name: string): HTMLButtonElement | null =>
  [...document.querySelectorAll('button')].findLast(
    (element) => element.textContent === name || element.getAttribute('aria-label') === name,
  ) ?? null
const click = (name: string) => screen.click(button(name))
const submit = async () => {
  await act(async () => {
    dialog()
      ?.querySelector('form')
      ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  })
  await screen.advance(0)
}
const remember =
  (answer: unknown, status = 200) =>
  (_: URL, init: RequestInit) => {
    bodies.push(JSON.parse(init.body as string))
    return json(answer, status)
  }

describe('creating an agent', () => {
  it('is opened by the address and by the plus button, and closed into the address', async () => {
    await open('/settings/agents')
    await click('Create new agent')
    expect(screen.search()).toBe('?addAgent=true')
    expect(said()).toContain('Create new agent')
    await click('Cancel')
    expect(screen.search()).toBe('')
  })

  it('needs a name', async () => {
    await open('/settings/agents?addAgent=true')
    expect(said()).not.toContain('This field is required')
    await submit()
    expect(said()).toContain('This field is required')
    expect(field('Name')?.getAttribute('aria-invalid')).toBe('true')
    expect(server.requests).toEqual([])
  })

  it('offers the nine scrape intervals only while Kubernetes is enabled', async () => {
    await open('/settings/agents?addAgent=true')
    const interval = field('Scrape Interval') as HTMLSelectElement
    expect(interval.disabled).toBe(true)
    expect(interval.value).toBe('30m')
    await screen.click(field('Kubernetes'))
    expect((field('Scrape Interval') as HTMLSelectElement).disabled).toBe(false)
    expect([...interval.options].map(({ value }) => value)).toEqual([
      '1m',
      '5m',
      '10m',
      '30m',
      '1h',
      '2h',
      '6h',
      '12h',
      '24h',
    ])
  })

  it('creates, shows the token once with instructions, and turns green when the first push arrives', async () => {
    server.on('POST /api/agent/generate', remember({ id: 'person', username: 'agent-1', access_token: TOKEN }, 201))
    await open('/settings/agents?addAgent=true', [])
    await setField(field('Name'), 'north')
    await click('Add property')
    await setField(field('Property 1, name'), 'region')
    await setField(field('Property 1, value'), 'eu')
    await screen.click(field('Kubernetes'))
    expect((field('Exclusions') as HTMLInputElement).disabled).toBe(false)
    await setField(field('Exclusions'), 'Secret, Event')
    await screen.click(field('Telemetry'))
    await setField(field('Label'), 'north-pole')
    await submit()
    await screen.waitFor(() => expect(said()).toContain('Installation Instructions'))
    expect(bodies).toEqual([
      {
        name: 'north',
        properties: { region: 'eu' },
        kubernetes: { enabled: true, interval: '30m', exclusions: ['Secret', 'Event'] },
        pushTelemetry: { enabled: true, topologyName: 'north-pole' },
      },
    ])
    await screen.waitFor(() => expect(toasts).toContain('Agent created'))
    expect(said()).toContain('shown only once')
    expect(said()).toContain(TOKEN)
    expect(said()).toContain('Next steps')
    expect(said()).toContain('helm install mc-agent-kubernetes')
    expect(said()).toContain('{Secret,Event}')
    expect([...document.querySelectorAll('[role="tab"]')].map((tab) => tab.textContent)).toEqual([
      'Flux',
      'Helm CLI',
      'Command',
    ])
    expect(screen.search()).not.toContain(TOKEN)

    expect(said()).toContain('Waiting for the first push')
    const made = buildAgent({ name: 'north', last_received: null, last_seen: null, status: null })
    await update([made])
    expect(said()).toContain('Waiting for the first push')
    await update([{ ...made, last_seen: '2026-01-01T00:00:00Z', status: 'online' }])
    expect(said()).toContain('Waiting for its first push')
    await update([{ ...made, last_seen: '2026-01-01T00:00:00Z', last_received: '2026-01-01T00:00:00Z' }])
    expect(said()).toContain('the first push has arrived')
    await click('Close')
    await screen.waitFor(() => expect(dialog()).toBeNull())
    expect(screen.search()).toBe('')
  })

  it('asks before the token is lost, and not after it was copied', async () => {
    const writeText = vi.fn(async () => undefined)
    vi.stubGlobal('navigator', { clipboard: { writeText }, onLine: true })
    server.on('POST /api/agent/generate', remember({ access_token: TOKEN }, 201))
    await open('/settings/agents?addAgent=true', [])
    await setField(field('Name'), 'north')
    await submit()
    await screen.waitFor(() => expect(said()).toContain(TOKEN))
    await click('Close')
    const question = (): string => textOf(document.querySelector('[role="alertdialog"]') ?? undefined)
    expect(question()).toContain('can’t be shown again')
    await click('Stay')
    await screen.waitFor(() => expect(question()).toBe(''))
    await click('Copy token')
    expect(writeText).toHaveBeenCalledWith(TOKEN)
    await screen.waitFor(() => expect(toasts).toContain('Copied to clipboard'))
    await click('Close')
    await screen.waitFor(() => expect(dialog()).toBeNull())
  })

  it.each([
    ['token', '[role="dialog"] code'],
    ['commands', 'pre[aria-label="Helm commands"]'],
  ])('does not ask after the %s were selected and copied by hand', async (_what, part) => {
    server.on('POST /api/agent/generate', remember({ access_token: TOKEN }, 201))
    await open('/settings/agents?addAgent=true', [])
    await setField(field('Name'), 'north')
    await submit()
    await screen.waitFor(() => expect(said()).toContain(TOKEN))
    const shown = document.querySelector(part)
    expect(shown?.textContent).toContain(TOKEN)
    await act(async () => void shown?.dispatchEvent(new Event('copy', { bubbles: true })))
    await click('Close')
    await screen.waitFor(() => expect(dialog()).toBeNull())
  })

  it('tells why it failed and keeps what was typed', async () => {
    server.on('POST /api/agent/generate', () =>
      json(refusal('PROXY_BACKEND_FAILED', 'there is already an agent named edge'), 500),
    )
    await open('/settings/agents?addAgent=true')
    await setField(field('Name'), 'edge')
    await submit()
    await screen.waitFor(() => expect(toasts).toEqual(['error: there is already an agent named edge']))
    expect((field('Name') as HTMLInputElement).value).toBe('edge')
  })

  it('is not offered to a viewer, not even by address', async () => {
    await open('/settings/agents?addAgent=true', [buildAgent()], ['viewer'])
    await screen.waitFor(() => expect(dialog()).toBeNull())
    expect(button('Create new agent')).toBeNull()
  })
})

describe('editing an agent', () => {
  const PATCH = `PATCH /api/db/agents?id=eq.${ID}&deleted_at=is.null&updated_at=eq.2026-01-01T00:00:00.123456+00:00`

  it('is opened by a row and by the address, with a name that stays', async () => {
    await open('/settings/agents')
    await screen.click(screen.container.querySelector('tbody tr'))
    expect(screen.search()).toBe(`?id=${ID}`)
    expect(textOf(dialog()?.querySelector('h2') ?? undefined)).toBe('edge')
    expect((field('Name') as HTMLInputElement).readOnly).toBe(true)
    expect(button('Save')).not.toBeNull()
    expect(button('Delete')).not.toBeNull()
    expect(button('Next')).toBeNull()
  })

  it('says so when the address names no agent', async () => {
    await open('/settings/agents?id=018f0000-0000-7000-8000-0000000000ff')
    expect(said()).toContain('This agent doesn’t exist or was deleted.')
  })

  it('saves the properties of the row it has read', async () => {
    server.on(PATCH, remember([{ id: ID }]))
    await open(`/settings/agents?id=${ID}`)
    await setField(field('Property 1, value'), 'us')
    await submit()
    await screen.waitFor(() => expect(toasts).toContain('Agent updated'))
    expect(bodies).toEqual([{ properties: { region: 'us' } }])
    await screen.waitFor(() => expect(dialog()).toBeNull())
  })

  it('follows what others save while nothing was typed', async () => {
    await open(`/settings/agents?id=${ID}`)
    await update([buildAgent({ properties: { region: 'asia' }, updated_at: '2026-01-02T00:00:00+00:00' })])
    expect((field('Property 1, value') as HTMLInputElement).value).toBe('asia')
  })

  it('keeps what was typed when someone else deletes the agent', async () => {
    server.on(PATCH, remember([]))
    server.on('GET /api/db/agents', () => json([]))
    await open(`/settings/agents?id=${ID}`)
    await setField(field('Property 1, value'), 'us')
    await update([])
    expect((field('Property 1, value') as HTMLInputElement).value).toBe('us')
    await submit()
    await screen.waitFor(() => expect(toasts).toEqual(['error: Someone deleted this agent while you were editing it.']))
  })

  it('overwrites nobody unasked: shows what was saved meanwhile and lets choose', async () => {
    server.on(PATCH, remember([]))
    server.on(`GET /api/db/agents?select=id,properties,updated_at&id=eq.${ID}&deleted_at=is.null`, () =>
      json([{ id: ID, properties: { region: 'asia' }, updated_at: '2026-01-02T00:00:00+00:00' }]),
    )
    const version = { id: 2, version: {}, previous: null, saved_at: '2026-01-02T00:00:00Z', credentials_changed: [] }
    server.on('GET /api/db/settings_history', () => json([{ ...version, saved_by: { id: 'grace', name: 'Grace' } }]))
    await open(`/settings/agents?id=${ID}`)
    await setField(field('Property 1, value'), 'us')
    await submit()
    await screen.waitFor(() => expect(said()).toContain('Grace saved this agent'))
    expect(said()).toContain('region=asia')
    expect((field('Property 1, value') as HTMLInputElement).value).toBe('us')

    server.on(`PATCH /api/db/agents?id=eq.${ID}&deleted_at=is.null&updated_at=eq.2026-01-02`, remember([{ id: ID }]))
    await click('Overwrite with mine')
    await screen.waitFor(() => expect(toasts).toContain('Agent updated'))
    expect(bodies.at(-1)).toEqual({ properties: { region: 'us' } })
  })

  it('takes theirs when that is chosen', async () => {
    server.on(PATCH, remember([]))
    server.on('GET /api/db/agents', () =>
      json([{ id: ID, properties: { region: 'asia' }, updated_at: '2026-01-02T00:00:00+00:00' }]),
    )
    await open(`/settings/agents?id=${ID}`)
    await setField(field('Property 1, value'), 'us')
    await submit()
    await screen.waitFor(() => expect(said()).toContain('Someone else saved'))
    await click('Use the saved version')
    expect((field('Property 1, value') as HTMLInputElement).value).toBe('asia')
  })

  it('does not mistake a report of the agent for an edit of someone', async () => {
    let tries = 0
    server.on(`PATCH /api/db/agents?id=eq.${ID}`, () => json(tries++ === 0 ? [] : [{ id: ID }]))
    server.on('GET /api/db/agents', () =>
      json([{ id: ID, properties: { region: 'eu' }, updated_at: '2026-01-02T00:00:00+00:00' }]),
    )
    await open(`/settings/agents?id=${ID}`)
    await setField(field('Property 1, value'), 'us')
    await submit()
    await screen.waitFor(() => expect(toasts).toContain('Agent updated'))
    expect(tries).toBe(2)
  })

  it('tells why it failed and keeps what was typed', async () => {
    server.on(PATCH, () => json(refusal('X', 'no way'), 400))
    await open(`/settings/agents?id=${ID}`)
    await setField(field('Property 1, value'), 'us')
    await submit()
    await screen.waitFor(() => expect(toasts).toEqual(['error: no way']))
    expect((field('Property 1, value') as HTMLInputElement).value).toBe('us')
  })

  it('goes on to the instructions that were chosen, and says nothing of an update where there is none', async () => {
    await open(`/settings/agents?id=${ID}`)
    await screen.click(field('Kubernetes'))
    await submit()
    await screen.waitFor(() => expect(said()).toContain('Installation Instructions'))
    expect(said()).toContain('mc-agent-kubernetes')
    expect(toasts).toEqual([])
    expect(server.requests.filter((line) => line.startsWith('PATCH'))).toEqual([])
  })

  it('saves what else was changed before it goes on to the instructions', async () => {
    server.on(PATCH, remember([{ id: ID }]))
    await open(`/settings/agents?id=${ID}`)
    await screen.click(field('Kubernetes'))
    await setField(field('Property 1, value'), 'us')
    await submit()
    await screen.waitFor(() => expect(said()).toContain('Installation Instructions'))
    expect(bodies).toEqual([{ properties: { region: 'us' } }])
    expect(toasts).toEqual(['Agent updated'])
  })

  it('has no choices for an installation of the server itself', async () => {
    await open(`/settings/agents?id=${NIL_UUID}`, [buildAgent({ id: NIL_UUID })])
    expect(field('Property 1, value')).not.toBeNull()
    expect(field('Kubernetes')).toBeNull()
    expect(said()).not.toContain('Telemetry')
  })

  it('shows the instructions again without the token', async () => {
    await open(`/settings/agents?id=${ID}`)
    await screen.click(field('Kubernetes'))
    await click('Show installation instructions')
    expect(said()).toContain('Installation Instructions')
    expect(said()).toContain('<ACCESS_TOKEN>')
    expect(said()).toContain('mc-agent-kubernetes')
    await click('Close')
    await screen.waitFor(() => expect(dialog()).toBeNull())
  })

  it('says what the agent reports: clock and waiting results', async () => {
    await open(`/settings/agents?id=${ID}`, [
      buildAgent({ clock_skew_ms: 3_600_000, queued_results: 12, hostname: 'host-1', version: '0.1.0' }),
    ])
    for (const part of ['Online', 'host-1', 'version 0.1.0', '12 results', 'ahead']) expect(said()).toContain(part)
  })

  it.each(['viewer', 'responder', 'commander'] as const)('is read-only for a %s', async (role) => {
    await open(`/settings/agents?id=${ID}`, [buildAgent()], [role])
    expect((field('Property 1, value') as HTMLInputElement).readOnly).toBe(true)
    for (const name of ['Save', 'Delete', 'Add property', 'Show installation instructions'])
      expect(button(name)).toBeNull()
    await click('Close')
    await screen.waitFor(() => expect(dialog()).toBeNull())
  })
})

describe('deleting an agent', () => {
  const DELETE = `PATCH /api/db/agents?id=eq.${ID}`
  const radio = (value: string) => dialog()?.querySelector(`input[value="${value}"]`) ?? null

  it.each([
    ['yes', { deleted_at: 'now()', cleanup: true }],
    ['no', { deleted_at: 'now()' }],
  ])('asks about its resources (%s), then whether really', async (choice, body) => {
    server.on(DELETE, remember([]))
    await open(`/settings/agents?id=${ID}`, [buildAgent({ checks_count: 3 })])
    await click('Delete')
    expect(button('Next')?.disabled).toBe(true)
    await screen.click(radio(choice))
    await click('Next')
    expect(bodies).toEqual([])
    expect(said()).toContain('Its token stops working at once')
    await click('Delete')
    await screen.waitFor(() => expect(toasts).toContain('Agent deleted'))
    expect(bodies).toEqual([body])
    expect(screen.search()).toBe('')
  })

  it('tells why it failed and stays', async () => {
    server.on(DELETE, () => json(refusal('X', 'not now'), 503))
    await open(`/settings/agents?id=${ID}`)
    await click('Delete')
    await screen.click(radio('no'))
    await click('Next')
    await click('Delete')
    await screen.waitFor(() => expect(toasts).toEqual(['error: not now']))
    expect(said()).toContain('Delete edge')
  })

  it('is not offered for the local agent, which is the product itself', async () => {
    await open(`/settings/agents?id=${NIL_UUID}`, [buildAgent({ id: NIL_UUID, name: 'local' })])
    expect(button('Save')).not.toBeNull()
    expect(button('Delete')).toBeNull()
  })
})
