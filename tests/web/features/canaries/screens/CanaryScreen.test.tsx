import { Link, useLocation } from '@tanstack/react-router'
import type { Role } from '@watchroom/shared/access'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { backendFactsKey } from '../../../../../web/src/api/queryKeys.ts'
import type { CanaryRow } from '../../../../../web/src/features/canaries/canaryRow.ts'
import { CanaryById } from '../../../../../web/src/features/canaries/screens/CanaryScreen.tsx'
import { createPage } from './page.ts'

// Whole screens on a machine that does other things beside.
vi.setConfig({ testTimeout: 30_000 })

const ID = '0198a1b2-0000-7000-8000-000000000001'
const READ = 'GET /api/db/canaries'
const WRITE = 'PATCH /api/db/canaries'
const BASE: CanaryRow = {
  id: ID,
  name: 'shop',
  namespace: 'web',
  labels: { team: 'web' },
  spec: { interval: 30, http: [{ name: 'front', url: 'https://a', ntlm: { x: 1 } }], kubernetes: [{ url: 'b' }] },
  source: 'UI',
  updated_at: '2026-01-01T00:00:00.123456+00:00',
}

let screen: RenderedScreen
let server: FakeServer
let page: ReturnType<typeof createPage>
/** As the database has it. */
let row: CanaryRow | null
let writes: { query: URLSearchParams; body: Record<string, unknown> }[]

const Place = () => <span data-place={useLocation({ select: ({ pathname }) => pathname })} />
const place = () => document.querySelector<HTMLElement>('[data-place]')?.dataset['place']

async function open(roles: readonly Role[] = ['editor'], id = ID, query = ''): Promise<void> {
  screen = await renderScreen(
    <>
      <Place />
      <Link to="/agents">Agents</Link>
      <CanaryById
        id={id}
        renderJobs={(canaryId) => <p>Jobs of {canaryId}</p>}
        renderSilence={(canaryId) => <p>Silences of {canaryId}</p>}
      />
    </>,
    { address: `/settings/canaries/${id}${query}`, roles },
  )
  page = createPage(screen)
  await screen.waitFor(() => expect(page.text()).not.toContain('Loading the'))
}

beforeEach(() => {
  sessionStorage.clear()
  row = BASE
  writes = []
  server = createFakeServer()
  server.on(READ, (url) => json(row && !(row.deleted_at && url.searchParams.has('deleted_at')) ? [row] : []))
  server.on('GET /api/db/checks', () => json([{ id: 'k1' }, { id: 'k2' }]))
  server.on(WRITE, (url, init) => {
    const body = JSON.parse(init.body as string) as Record<string, unknown>
    writes.push({ query: url.searchParams, body })
    const isCurrent =
      'deleted_at' in body ||
      (url.searchParams.get('updated_at') === `eq.${row?.updated_at}` &&
        url.searchParams.get('labels') === `eq.${JSON.stringify(row?.labels)}`)
    return json(isCurrent ? [row] : [])
  })
})

afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

describe('CanaryScreen', () => {
  it('shows the definition; name and namespace are locked', async () => {
    await open()
    expect(page.field(/^URL/)?.value).toBe('https://a')
    expect(page.field(/^Name/)?.matches('[readonly]')).toBe(true)
    expect(page.field(/^Namespace/)?.matches('[readonly]')).toBe(true)
    expect(page.text()).toContain('Kept from YAML, unknown to this form: ntlm')
    expect(page.text()).toContain('Edit them in the YAML view: kubernetes')
  })

  it('saves only over the version that was edited, keeps what the form does not know, and leads to the list', async () => {
    await open()
    await page.fill(/^URL/, 'https://b')
    await page.press('Save')
    await screen.waitFor(() => expect(place()).toBe('/settings/canaries'))
    expect(writes).toHaveLength(1)
    expect(Object.fromEntries(writes[0]?.query ?? [])).toMatchObject({
      id: `eq.${ID}`,
      updated_at: `eq.${BASE.updated_at}`,
      labels: 'eq.{"team":"web"}',
      deleted_at: 'is.null',
    })
    expect(writes[0]?.body).toEqual({
      labels: { team: 'web' },
      spec: { ...BASE.spec, http: [{ name: 'front', url: 'https://b', ntlm: { x: 1 } }] },
    })
  })

  it('shows both versions when someone else saved meanwhile, and overwrites only when told to', async () => {
    await open()
    await page.fill(/^URL/, 'https://mine')
    row = {
      ...BASE,
      spec: { http: [{ name: 'front', url: 'https://theirs' }] },
      updated_at: '2026-01-02T00:00:00+00:00',
    }
    await page.press('Save')
    await screen.waitFor(() => expect(page.text()).toContain('Someone else saved this check'))
    const lines = [...document.querySelectorAll<HTMLElement>('[aria-label="Differences"] [data-kind]')]
    const shown = (kind: string) =>
      lines.filter(({ dataset }) => dataset['kind'] === kind).map((line) => line.textContent)
    expect(shown('removed').join('')).toContain('https://theirs')
    expect(shown('added').join('')).toContain('https://mine')
    await page.press('Keep editing')
    await screen.waitFor(() => expect(document.querySelector('[aria-label="Differences"]')).toBeNull())
    expect(page.field(/^URL/)?.value).toBe('https://mine')
    await page.press('Save')
    await screen.waitFor(() => expect(page.button('Overwrite with mine')).not.toBeNull())
    await page.press('Overwrite with mine')
    await screen.waitFor(() => expect(place()).toBe('/settings/canaries'))
    expect(writes.at(-1)?.query.get('updated_at')).toBe('eq.2026-01-02T00:00:00+00:00')
  })

  it('takes the other version when asked to', async () => {
    await open()
    await page.fill(/^URL/, 'https://mine')
    row = { ...BASE, spec: { http: [{ url: 'https://theirs' }] }, updated_at: '2026-01-02T00:00:00+00:00' }
    await page.press('Save')
    await screen.waitFor(() => expect(page.button('Use the saved version')).not.toBeNull())
    await page.press('Use the saved version')
    await screen.waitFor(() => expect(page.field(/^URL/)?.value).toBe('https://theirs'))
    expect(sessionStorage).toHaveLength(0)
  })

  it('notices changed labels, which the time of the last change does not tell', async () => {
    await open()
    await page.fill(/^URL/, 'https://mine')
    row = { ...BASE, labels: { team: 'shop' } }
    await page.press('Save')
    await screen.waitFor(() => expect(page.text()).toContain('Someone else saved this check'))
    expect(document.querySelector('[aria-label="Differences"]')?.textContent).toContain('team: shop')
  })

  it('shows a newer version at once while nothing was changed here, and says so while something was', async () => {
    await open()
    row = { ...BASE, spec: { http: [{ url: 'https://newer' }] }, updated_at: '2026-01-02T00:00:00+00:00' }
    await act(() => screen.queryClient.invalidateQueries())
    await screen.waitFor(() => expect(page.field(/^URL/)?.value).toBe('https://newer'))
    await page.fill(/^URL/, 'https://mine')
    row = { ...row, updated_at: '2026-01-03T00:00:00+00:00' }
    await act(() => screen.queryClient.invalidateQueries())
    await screen.waitFor(() => expect(page.text()).toContain('There’s a newer version than the one you’re editing'))
    expect(page.field(/^URL/)?.value).toBe('https://mine')
  })

  it('does not slip a draft of an older version over a newer one after a reload', async () => {
    await open()
    await page.fill(/^URL/, 'https://mine')
    await screen.close()
    row = { ...BASE, spec: { http: [{ url: 'https://theirs' }] }, updated_at: '2026-01-02T00:00:00+00:00' }
    await open()
    expect(page.text()).toContain('Your unsaved changes are back.')
    await page.press('Save')
    await screen.waitFor(() => expect(page.text()).toContain('Someone else saved this check'))
    expect(writes).toEqual([])
  })

  it('says that the check was deleted while it was edited, and keeps the text', async () => {
    await open()
    await page.fill(/^URL/, 'https://mine')
    row = { ...BASE, updated_at: 'x', deleted_at: '2026-01-02T00:00:00Z' }
    await page.press('Save')
    await screen.waitFor(() => expect(page.text()).toContain('Someone deleted this check while you were editing it.'))
    expect(page.field(/^URL/)?.value).toBe('https://mine')
  })

  it('deletes softly after asking, and says what that means', async () => {
    await open()
    await page.press('Delete')
    await screen.waitFor(() => expect(page.text()).toContain('Its 2 checks stop running and leave the board'))
    expect(writes).toEqual([])
    await page.press('Delete check')
    await screen.waitFor(() => expect(place()).toBe('/settings/canaries'))
    expect(writes[0]?.body).toEqual({ deleted_at: 'now()' })
  })

  it('saves in front of another backend what it does not understand, and says so', async () => {
    const spec = { http: [{ name: 'front', url: 'https://a', thresholdMillis: 'slow' }] }
    row = { ...BASE, spec }
    await open()
    await page.fill(/^URL/, 'https://b')
    await page.press('Save')
    expect(page.text()).toContain('Fix 1 problem before saving')
    expect(writes).toEqual([])
    screen.queryClient.setQueryData(backendFactsKey, { changes: 'polled', missing: ['specJudges'] })
    await screen.waitFor(() => expect(page.text()).toContain('The spec can be saved as it is.'))
    expect(page.text()).toContain('This field must be a number')
    await page.press('Save')
    await screen.waitFor(() => expect(writes).toHaveLength(1))
    expect(writes[0]?.body).toMatchObject({ spec: { http: [{ url: 'https://b', thresholdMillis: 'slow' }] } })
  })

  it('keeps two labels of one key from being saved', async () => {
    await open()
    await page.press('Add label')
    await screen.type(document.querySelector('[aria-label="Label 2, name"]'), 'team')
    await page.press('Save')
    expect(page.text()).toContain('This key is already used')
    expect(writes).toEqual([])
  })

  it.each<[string, Partial<CanaryRow>, readonly Role[], string]>([
    ['the role lacks the right', {}, ['viewer'], 'Your role can view checks but not change them'],
    ['it comes from Kubernetes', { source: 'KubernetesCRD' }, ['admin'], 'comes from a resource in Kubernetes'],
    ['an agent runs it', { agent_id: 'a1', agents: { id: 'a1', name: 'edge' } }, ['admin'], 'Linked to edge'],
  ])('is read only when %s, and says so', async (_why, overrides, roles, text) => {
    row = { ...BASE, ...overrides }
    await open(roles)
    expect(page.text()).toContain(text)
    expect(page.field(/^URL/)?.matches('[readonly]')).toBe(true)
    for (const name of ['Save', 'Delete', 'Try it', 'Add label', 'Add another check']) {
      expect(page.button(name)).toBeNull()
    }
  })

  it('says when there is no such check, without asking for what cannot be one', async () => {
    row = null
    await open()
    await screen.waitFor(() => expect(page.text()).toContain('Details not found'))
    await screen.close()
    server.requests.length = 0
    await open(['editor'], 'nonsense')
    expect(page.text()).toContain('Details not found')
    expect(server.requests).toEqual([])
  })

  it('says why it cannot be loaded, and tries again', async () => {
    server.on(READ, () => json(refusal('X', 'the database is away'), 500))
    row = null
    await open()
    await screen.waitFor(() => expect(page.text()).toContain('the database is away'))
    row = BASE
    server.on(READ, () => json([BASE]))
    await page.press('Try again')
    await screen.waitFor(() => expect(page.field(/^URL/)?.value).toBe('https://a'))
  })

  it('keeps showing what it has when it cannot be loaded anew, and says that it may be old', async () => {
    await open()
    server.on(READ, () => json(refusal('X', 'the database is away'), 500))
    await act(() => screen.queryClient.invalidateQueries())
    await screen.waitFor(() => expect(page.text()).toContain('What is shown may be old: the database is away'))
    expect(page.field(/^URL/)?.value).toBe('https://a')
  })

  it('says above its tabs that it is silenced', async () => {
    await open(['viewer'])
    expect(page.text()).toMatch(new RegExp(`Silences of ${ID}.*Job History`, 's'))
  })

  it('has the jobs of the check in its second tab', async () => {
    await open(['viewer'], ID, '?tab=jobs')
    expect(page.text()).toContain(`Jobs of ${ID}`)
  })
})

describe('the history of a check', () => {
  const OLD = { name: 'shop', namespace: 'web', spec: { interval: 60, http: [{ name: 'front', url: 'https://old' }] } }
  async function openHistory(roles: readonly Role[]): Promise<void> {
    const version = { saved_at: '2026-01-01T00:00:00Z', saved_by: null, credentials_changed: [] }
    server.on('GET /api/db/settings_history', () =>
      json([
        { ...version, id: 2, version: { name: 'shop', spec: BASE.spec }, previous: OLD },
        { ...version, id: 1, version: OLD, previous: null },
      ]),
    )
    await open(roles, ID, '?tab=history')
    await screen.waitFor(() => expect(page.text()).toContain('https://old'))
  }

  it('restores labels and spec over the version that is shown, and says what the server refuses', async () => {
    await openHistory(['editor'])
    await page.press('Restore')
    await page.press('Restore check')
    await screen.waitFor(() => expect(writes.map(({ body }) => body)).toEqual([{ labels: {}, spec: OLD.spec }]))
    expect(writes[0]?.query.get('updated_at')).toBe(`eq.${BASE.updated_at}`)
    const text = 'spec.http.1.password: no secret is stored here that *** could stand for. Enter it.'
    server.on(WRITE, () => json(refusal('BAD_REQUEST', text, '23514'), 400))
    await screen.waitFor(() => expect(page.button('Restore check')).toBeNull())
    await page.press('Restore')
    await page.press('Restore check')
    await screen.waitFor(() => expect(page.text()).toContain(text))
  })

  it('offers no restoring to whoever may not write', async () => {
    await openHistory(['viewer'])
    expect(page.button('Restore')).toBeNull()
  })
})

describe('a definition that executes programs', () => {
  const REASON = 'Only an administrator may save what executes programs (exec).'
  const SPEC = { exec: [{ name: 'script', script: 'true' }], tcp: [{ name: 'port', endpoint: 'db:5432' }] }

  beforeEach(() => {
    row = { ...BASE, spec: SPEC }
    server.on('GET /api/canary/about', () => json({ programs: { savers: 'admin', refusal: null } }))
  })

  it('is shown to an editor, who changes what executes nothing', async () => {
    await open()
    await screen.waitFor(() => expect(page.text()).toContain(REASON))
    expect(page.field(/^Script/)?.value).toBe('true')
    expect(page.field(/^Script/)?.matches('[readonly]')).toBe(true)
    expect(page.button('Try it')?.getAttribute('aria-disabled')).toBe('true')
    await page.fill(/^Host and port/, 'db:5433')
    await page.press('Save')
    await screen.waitFor(() => expect(place()).toBe('/settings/canaries'))
    expect(writes[0]?.body['spec']).toEqual({ ...SPEC, tcp: [{ name: 'port', endpoint: 'db:5433' }] })
  })

  it('is refused by the server with its sentence, and nothing that was typed is lost', async () => {
    server.on(WRITE, () => json(refusal('FORBIDDEN', REASON, '42501'), 403))
    server.on('GET /api/canary/about', () => json({ Version: 'v1' }))
    await open()
    await page.fill(/^Script/, 'false')
    await page.press('Save')
    await screen.waitFor(() => expect(document.querySelector('[role="alert"]')?.textContent).toContain(REASON))
    expect(page.field(/^Script/)?.value).toBe('false')
    expect(place()).toContain(ID)
  })
})
