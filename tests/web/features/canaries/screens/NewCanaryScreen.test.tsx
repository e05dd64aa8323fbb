import { Link, useLocation } from '@tanstack/react-router'
import { CAPABILITIES, type CapabilityName, type Role } from '@watchroom/shared/access'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFakeServer, type FakeServer, json, refusal } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { backendFactsKey } from '../../../../../web/src/api/queryKeys.ts'
import { NewCanaryScreen } from '../../../../../web/src/features/canaries/screens/NewCanaryScreen.tsx'
import { createPage } from './page.ts'

// Whole screens on a machine that does other things beside.
vi.setConfig({ testTimeout: 30_000 })

const CREATE = 'POST /api/db/canaries'
const CHECKS = 'GET /api/db/checks'
const ABOUT = 'GET /api/canary/about'
const TRY = 'POST /api/canary/api/try'

let screen: RenderedScreen
let server: FakeServer
let page: ReturnType<typeof createPage>
let bodies: unknown[]

/** Requests but for what the page asks at its start. */
const sent = () => server.requests.filter((line) => line !== ABOUT)

const Place = () => <span data-place={useLocation({ select: ({ pathname }) => pathname })} />
const place = () => document.querySelector<HTMLElement>('[data-place]')?.dataset['place']

async function open(address: string, roles: readonly Role[] = ['editor']): Promise<void> {
  screen = await renderScreen(
    <>
      <Place />
      <Link to="/agents">Agents</Link>
      <NewCanaryScreen />
    </>,
    { address, roles },
  )
  page = createPage(screen)
}

/** The gateway has found out that the backend cannot do this. */
const lacks = (name: CapabilityName): Promise<void> =>
  act(async () => void screen.queryClient.setQueryData(backendFactsKey, { changes: 'polled', missing: [name] }))

beforeEach(() => {
  sessionStorage.clear()
  bodies = []
  server = createFakeServer()
  server.on(CREATE, (_url, init) => {
    const body = JSON.parse(init.body as string) as Record<string, unknown>
    bodies.push(body)
    return json([{ ...body, id: 'c1' }], 201)
  })
  server.on(CHECKS, () => json([{ id: 'k1', name: 'shop', type: 'http' }]))
})

afterEach(async () => {
  await screen.close()
  vi.unstubAllGlobals()
})

describe('choosing a kind of check', () => {
  it('finds kinds by their words and leads to the form, in the address', async () => {
    await open('/settings/canaries/new')
    await screen.type(document.querySelector('input[type="search"]'), 'name server')
    await screen.advance(400)
    expect(page.button(/^DNS/)).not.toBeNull()
    expect(page.button(/^HTTP/)).toBeNull()
    await page.press(/^DNS/)
    expect(screen.search()).toBe('?type=dns')
    expect(page.field(/^Name to look up/)).not.toBeNull()
  })

  it('does not offer a kind that the backend does not run, and says why', async () => {
    await open('/settings/canaries/new')
    await lacks('selfChecks')
    await screen.waitFor(() => expect(page.text()).toContain(CAPABILITIES.selfChecks))
    expect(page.button(/^Watchroom/)?.getAttribute('aria-disabled')).toBe('true')
    expect(page.button(/^HTTP/)?.getAttribute('aria-disabled')).toBe('false')
    await page.press(/^Watchroom/)
    expect(screen.search()).toBe('')
  })

  it('treats nonsense in the address as no choice', async () => {
    await open('/settings/canaries/new?type=telepathy&view=3d')
    expect(page.text()).toContain('What should be watched?')
  })

  it('tells those who may not add checks why', async () => {
    await open('/settings/canaries/new?type=http', ['viewer'])
    expect(page.text()).toContain('Read only')
    expect(page.field(/^URL/)).toBeNull()
  })
})

describe('filling in the form', () => {
  it('asks for required fields once someone saves, and goes to the first', async () => {
    await open('/settings/canaries/new?type=http')
    expect(page.errorOf(/^Name \(/)).toBeNull()
    await page.press('Save')
    expect(page.errorOf(/^Name \(/)).toBe('This field is required')
    expect(page.errorOf(/^URL/)).toBe('This field is required')
    expect(document.activeElement).toBe(page.field(/^Name \(/))
    expect(page.text()).toContain('Fix 2 problems before saving')
    expect(sent()).toEqual([])
  })

  it('says at once what is no number, and keeps what was typed', async () => {
    await open('/settings/canaries/new?type=http')
    await page.fill(/^Slowest accepted/, '1.')
    expect(page.field(/^Slowest accepted/)?.value).toBe('1.')
    await page.fill(/^Slowest accepted/, 'fast')
    expect(page.errorOf(/^Slowest accepted/)).toBe('This field must be a number')
    expect(page.field(/^Slowest accepted/)?.value).toBe('fast')
  })

  it('shows a body only for methods that have one, and never hides one that is there', async () => {
    await open('/settings/canaries/new?type=http')
    expect(page.field(/^Body/)).toBeNull()
    await page.fill(/^Method/, 'POST')
    await page.fill(/^Body/, 'a=1')
    await page.fill(/^Method/, 'GET')
    expect(page.field(/^Body/)?.value).toBe('a=1')
  })

  it('leads to the board at once where the first run is minutes away', async () => {
    await open('/settings/canaries/new?type=icmp')
    await lacks('promptRuns')
    await page.fill(/^Name \(/, 'shop')
    await page.fill(/^Host/, 'gateway.example.com')
    await page.press('Save')
    await screen.waitFor(() => expect(place()).toBe('/health'))
    expect(screen.search()).toBe('')
    expect(sent()).toEqual([expect.stringContaining(CREATE)])
  })

  it('saves what was filled in, and leads to the new check on the board', async () => {
    await open('/settings/canaries/new?type=http')
    await page.fill(/^Name \(/, ' shop ')
    await page.fill(/^URL/, 'https://shop.example.com/')
    await page.press('204')
    await page.press('200')
    await page.fill(/^Runs/, '@every 5m')
    await page.press('Add header')
    await screen.type(document.querySelector('[aria-label="Header 1, name"]'), 'Accept')
    await screen.type(document.querySelector('[aria-label="Header 1, value"]'), 'text/html')
    await page.press('Add label')
    await screen.type(document.querySelector('[aria-label="Label 1, name"]'), 'team')
    await screen.type(document.querySelector('[aria-label="Label 1, value"]'), 'web')
    await page.press('Save')
    await screen.waitFor(() => expect(place()).toBe('/health'))
    expect(screen.search()).toBe('?checkId=k1')
    expect(bodies).toEqual([
      {
        name: 'shop',
        namespace: 'default',
        labels: { team: 'web' },
        source: 'UI',
        created_by: 'user-1',
        spec: {
          schedule: '@every 5m',
          http: [
            {
              name: 'shop',
              url: 'https://shop.example.com/',
              responseCodes: [200, 204],
              headers: [{ name: 'Accept', value: 'text/html' }],
            },
          ],
        },
      },
    ])
  })

  it('saves with Ctrl+S from any field', async () => {
    await open('/settings/canaries/new?type=exec')
    await page.fill(/^Name \(/, 'job')
    await page.fill(/^Script/, 'true')
    const press = new KeyboardEvent('keydown', { key: 's', ctrlKey: true, bubbles: true, cancelable: true })
    await act(async () => page.field(/^Script/)?.dispatchEvent(press))
    expect(press.defaultPrevented).toBe(true)
    await screen.waitFor(() => expect(bodies).toHaveLength(1))
  })

  it('puts a refusal of the server at its field, and the text stays', async () => {
    const details = 'Key (agent_id, name, namespace, source)=(…) already exists.'
    server.on(CREATE, () => json(refusal('PROXY_BACKEND_REFUSED', 'duplicate key', '23505', details), 409))
    await open('/settings/canaries/new?type=tcp')
    await page.fill(/^Name \(/, 'db')
    await page.fill(/^Host and port/, 'db:5432')
    await page.press('Save')
    await screen.waitFor(() => expect(page.errorOf(/^Name \(/)).toBe('This name is already used in this namespace'))
    expect(page.field(/^Host and port/)?.value).toBe('db:5432')
    await page.fill(/^Name \(/, 'db2')
    expect(page.errorOf(/^Name \(/)).toBeNull()
  })

  it('shows any other refusal beside the button that was pressed', async () => {
    server.on(CREATE, () => json(refusal('X', 'the disk is full'), 500))
    await open('/settings/canaries/new?type=tcp')
    await page.fill(/^Name \(/, 'db')
    await page.fill(/^Host and port/, 'db:5432')
    await page.press('Save')
    await screen.waitFor(() =>
      expect(screen.container.querySelector('footer [role="alert"]')?.textContent).toContain('the disk is full'),
    )
  })

  it('takes a schedule of one’s own or an interval, and says what it does not understand', async () => {
    await open('/settings/canaries/new?type=exec')
    await page.fill(/^Name \(/, 'job')
    await page.fill(/^Script/, 'true')
    await page.fill(/^Runs/, 'custom')
    await screen.type(document.querySelector('[aria-label="Own schedule"]'), 'now and then')
    expect(page.errorOf(/^Runs/) ?? page.text()).toContain('expected cron text')
    await page.fill(/^Runs/, 'interval')
    await screen.type(document.querySelector('[aria-label="Seconds between runs"]'), '45')
    await page.press('Save')
    await screen.waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies[0]).toMatchObject({ spec: { interval: 45 } })
    expect(JSON.stringify(bodies[0])).not.toContain('schedule')
  })

  it('adds and removes checks', async () => {
    await open('/settings/canaries/new?type=folder')
    await page.press('Add another check')
    await screen.waitFor(() => expect(document.querySelector('[role="menuitem"]')).not.toBeNull())
    const redis = [...document.querySelectorAll('[role="menuitem"]')].find(({ textContent }) => textContent === 'Redis')
    await screen.click(redis ?? null)
    expect(page.field(/^Database number/)).not.toBeNull()
    await page.press('Remove New Folder check')
    expect(page.field(/^Path/)).toBeNull()
    expect(page.field(/^Database number/)).not.toBeNull()
  })

  it('edits a size as number and unit, Mi unless another is chosen', async () => {
    await open('/settings/canaries/new?type=folder')
    await page.fill(/^Name \(/, 'disk')
    await page.fill(/^Path/, '/data')
    await page.fill(/^Minimum file size/, '10')
    await page.fill(/^Minimum free space/, '2')
    await page.press('Save')
    await screen.waitFor(() => expect(bodies).toHaveLength(1))
    expect(bodies[0]).toMatchObject({ spec: { folder: [{ minSize: '10Mi', availableSize: '2Mi' }] } })
  })
})

describe('trying it before saving', () => {
  const fill = async (): Promise<void> => {
    await open('/settings/canaries/new?type=exec')
    await page.fill(/^Script/, 'true')
  }

  it('shows the verdict of each check and stores nothing', async () => {
    server.on(TRY, () =>
      json({
        checks: [{ name: 'true', type: 'exec', ok: false, duration: 7, error: 'ended with code 1' }],
        problems: [],
      }),
    )
    await fill()
    await page.press('Try it')
    await screen.waitFor(() => expect(page.text()).toContain('ended with code 1'))
    expect(page.text()).toContain('Failed')
    expect(page.text()).toContain('7ms')
    expect(sent()).toEqual([TRY])
    await page.fill(/^Script/, 'false')
    expect(page.text()).toContain('The definition has changed since.')
  })

  it('does not need a name, but does need what is checked', async () => {
    await open('/settings/canaries/new?type=exec')
    await page.press('Try it')
    expect(page.errorOf(/^Script/)).toBe('This field is required')
    expect(sent()).toEqual([])
  })

  it('is not offered where the backend has no such thing', async () => {
    await fill()
    await lacks('trials')
    await screen.waitFor(() => expect(page.text()).toContain(CAPABILITIES.trials))
    expect(page.button('Try it')).toBeNull()
    expect(page.button('Save')).not.toBeNull()
    expect(sent()).toEqual([])
  })

  it('shows why a trial was refused', async () => {
    server.on(TRY, () => json(refusal('X', 'Your other trial is still running.'), 429))
    await fill()
    await page.press('Try it')
    await screen.waitFor(() => expect(page.text()).toContain('Your other trial is still running.'))
  })
})

describe('unsaved work', () => {
  it('is back after a reload, and can be discarded', async () => {
    await open('/settings/canaries/new?type=icmp')
    await page.fill(/^Host/, 'gateway.example.com')
    await screen.close()
    await open('/settings/canaries/new?type=icmp')
    expect(page.text()).toContain('Your unsaved changes are back.')
    expect(page.field(/^Host/)?.value).toBe('gateway.example.com')
    await page.press('Discard them')
    expect(page.field(/^Host/)?.value).toBe('')
  })

  it('is asked about before another page is opened', async () => {
    await open('/settings/canaries/new?type=icmp')
    await page.fill(/^Host/, 'gateway.example.com')
    await screen.click(document.querySelector('a[href="/agents"]'))
    await screen.waitFor(() => expect(page.button('Stay')).not.toBeNull())
    await page.press('Stay')
    expect(place()).toBe('/settings/canaries/new')
    expect(page.field(/^Host/)?.value).toBe('gateway.example.com')
    await screen.click(document.querySelector('a[href="/agents"]'))
    await screen.waitFor(() => expect(page.button('Leave without saving')).not.toBeNull())
    await page.press('Leave without saving')
    await screen.waitFor(() => expect(place()).toBe('/agents'))
    expect(sessionStorage).toHaveLength(0)
  })

  it('leaves nothing behind once it is saved', async () => {
    await open('/settings/canaries/new?type=icmp')
    await page.fill(/^Host/, 'gateway.example.com')
    await page.fill(/^Name \(/, 'gw')
    expect(sessionStorage).toHaveLength(1)
    await page.press('Save')
    await screen.waitFor(() => expect(place()).toBe('/health'))
    expect(sessionStorage).toHaveLength(0)
  })
})

describe('a check that executes programs', () => {
  const isDisabled = (button: HTMLElement | null) => button?.getAttribute('aria-disabled') === 'true'
  const rules = (savers: string, more = {}) =>
    server.on(ABOUT, () => json({ programs: { savers, refusal: null, ...more } }))

  it.each([
    ['admin', ['editor'], 'Only an administrator may save what executes programs (exec).'],
    ['nobody', ['admin'], 'Nobody may save what executes programs (exec) here, because people do not sign in.'],
  ] as const)('is disabled with the reason where its savers are %s and one is %j', async (savers, roles, reason) => {
    rules(savers)
    await open('/settings/canaries/new', roles)
    await screen.waitFor(() => expect(page.text()).toContain(reason))
    expect(isDisabled(page.button(/^Exec/))).toBe(true)
    await page.press(/^Exec/)
    expect(screen.search()).toBe('')
    await page.press(/^TCP/)
    expect(screen.search()).toBe('?type=tcp')
  })

  it.each([
    ['admin', ['admin']],
    ['editor', ['editor']],
  ] as const)('is offered where its savers are %s and one is %j', async (savers, roles) => {
    rules(savers)
    await open('/settings/canaries/new', roles)
    await screen.advance(0)
    expect(isDisabled(page.button(/^Exec/))).toBe(false)
    await page.press(/^Exec/)
    expect(page.field(/^Script/)?.matches('[readonly]')).toBe(false)
  })

  it('is offered by a backend that names no rules, whose refusal is shown over what was typed', async () => {
    server.on(ABOUT, () => json({ Version: 'v1' }))
    server.on(CREATE, () => json(refusal('FORBIDDEN', 'scripts are for operators'), 403))
    server.on(TRY, () => json(refusal('FORBIDDEN', 'no trials of scripts'), 403))
    await open('/settings/canaries/new?type=exec')
    await page.fill(/^Name \(/, 'shop')
    await page.fill(/^Script/, 'true')
    await page.press('Try it')
    await screen.waitFor(() => expect(page.text()).toContain('no trials of scripts'))
    await page.press('Save')
    await screen.waitFor(() => expect(page.text()).toContain('scripts are for operators'))
    expect(page.field(/^Script/)?.value).toBe('true')
  })

  it('can be neither tried nor saved by an address or as YAML, and says why', async () => {
    rules('admin')
    const text = 'exec:\n  - script: echo mine\n'
    const draft = { name: 'shop', namespace: 'default', labels: [], text }
    sessionStorage.setItem('draft:canary:new:custom:user-1', JSON.stringify({ draft, base: { ...draft, text: '' } }))
    await open('/settings/canaries/new?type=custom')
    await screen.waitFor(() => expect(isDisabled(page.button('Try it'))).toBe(true))
    const reason = document.querySelector(`[id="${page.button('Try it')?.getAttribute('aria-describedby')}"]`)
    expect(reason?.textContent).toBe('Only an administrator may save what executes programs (exec).')
    expect(isDisabled(page.button('Save'))).toBe(true)
    await page.press('Try it')
    await page.press('Save')
    expect(sent()).toEqual([])
    expect(page.field(/^Script/)?.value).toBe('echo mine')
  })

  it('says where none runs on the backend itself, to those who may save it', async () => {
    rules('admin', { refusal: 'this user cannot make namespaces' })
    await open('/settings/canaries/new?type=exec', ['admin'])
    await screen.waitFor(() =>
      expect(page.text()).toContain(
        'Programs run only on agents here, not on this backend: this user cannot make namespaces.',
      ),
    )
    expect(isDisabled(page.button('Save'))).toBe(false)
  })
})
