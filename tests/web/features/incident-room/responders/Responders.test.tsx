import { type IncidentEvent, IncidentEventSchema } from '@watchroom/shared/incidents'
import { incidentTopic, topicKey } from '@watchroom/shared/protocol'
import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { ANA, BO, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld, type Page } from '#support/incidentWorld.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen, type ScreenOptions } from '#support/web/renderScreen.tsx'
import { setField } from '#support/web/setField.ts'

import { FRESH_MS } from '../../../../../web/src/api/queryClient.ts'
import { IncidentRoomProvider } from '../../../../../web/src/collab/IncidentRoomProvider.tsx'
import { Responders } from '../../../../../web/src/features/incident-room/responders/Responders.tsx'

const PRINTERS = testId('t', 1)
const CARRIERS = testId('t', 2)
const JIRA = testId('g', 7)
const RESPONDER = testId('r', 1)

const TEAMS = [
  { id: CARRIERS, name: 'Carriers', icon: null, spec: null },
  {
    id: PRINTERS,
    name: 'Printers',
    icon: 'printer',
    spec: {
      responder_clients: {
        email: {
          values: { to: 'printers@example.org' },
          defaults: { subject: '<%= incident.title %>', body: '${incident.status}: ${subject}' },
        },
        jira: { defaults: { summary: '<%= incident.title %> (<%= project %>)' } },
        unheard_of: {},
      },
    },
  },
]

let world: IncidentWorld
let page: Page
let server: FakeServer
let screen: RenderedScreen
let sent: { method: string; path: string; body: unknown }[]

beforeEach(async () => {
  sent = []
  server = createFakeServer()
  server.on('GET /api/db/people', () =>
    json([
      { id: ANA, name: 'Ana Ash', email: 'ana@example.test' },
      { id: BO, name: 'Bo Birch', email: 'bo@example.test', deleted_at: null },
      { id: testId('u', 3), name: 'Gone Gale', email: 'gale@example.test', deleted_at: '2026-01-01T00:00:00Z' },
    ]),
  )
  server.on('GET /api/db/teams', () => json(TEAMS))
  server.on('GET /api/db/incidents', () => json([{ id: INCIDENT, incident_id: 'INC-1', title: 'older title' }]))
  const record = (url: URL, init: RequestInit) => {
    sent.push({
      method: init.method ?? '',
      path: decodeURIComponent(url.pathname + url.search),
      body: JSON.parse(typeof init.body === 'string' ? init.body : 'null'),
    })
    return json([{ id: RESPONDER }], 201)
  }
  server.on('POST /api/db/responders', record)
  server.on('PATCH /api/db/responders', record)
  world = await createIncidentWorld()
  page = await world.openPage({ userId: ANA, name: 'Ana' })
})
afterEach(async () => {
  await screen.close()
  await world.close()
  vi.unstubAllGlobals()
})

async function open(options: ScreenOptions = {}): Promise<void> {
  screen = await renderScreen(
    <IncidentRoomProvider id={INCIDENT} connection={page}>
      <Responders incidentId={INCIDENT} />
    </IncidentRoomProvider>,
    { clock: world.clock, ...options },
  )
}

/** Rows as the live topic brings them. */
async function show(rows: readonly Record<string, unknown>[]): Promise<void> {
  const parsed: IncidentEvent[] = rows.map((row) => IncidentEventSchema.parse(row))
  await act(async () => screen.queryClient.setQueryData(topicKey(incidentTopic, { id: INCIDENT }), parsed))
  await screen.advance(0)
}

const text = () => screen.container.textContent ?? ''
const dialogText = () => document.querySelector('[role$="dialog"]')?.textContent ?? ''
const dialogButton = (label: string) =>
  [...document.querySelectorAll<HTMLButtonElement>('[role$="dialog"] button')].find(
    ({ textContent }) => textContent === label,
  ) ?? null
/** Field by its label. */
const field = (label: string) => {
  const found = [...document.querySelectorAll<HTMLLabelElement>('[role="dialog"] label')].find(
    ({ textContent }) => textContent?.trim() === label,
  )
  return found ? document.querySelector<HTMLInputElement>(`#${CSS.escape(found.htmlFor)}`) : null
}
const options = (label: string) => [...(field(label)?.querySelectorAll('option') ?? [])].map(({ value }) => value)
const toasts = () => pageOf().toastText('bottom-right')

const dialogTitle = () => document.querySelector('[role="dialog"] h2')?.textContent
const currentStep = () => document.querySelector('[role="dialog"] [aria-current="step"]')?.textContent

const addButton = () =>
  [...screen.container.querySelectorAll('button')].find(({ textContent }) => textContent === 'Add responder') ?? null

async function openWizard(): Promise<void> {
  await open()
  await screen.click(addButton())
  await screen.waitFor(() => expect(options('Team')).toHaveLength(3))
}

async function chooseType(teamId: string, type: string): Promise<void> {
  await setField(field('Team'), teamId)
  await screen.click(dialogButton('Next'))
  await screen.click(document.querySelector(`[role="dialog"] input[value="${type}"]`))
  await screen.click(dialogButton('Next'))
}

describe('Responders', () => {
  const person = {
    kind: 'responder',
    id: RESPONDER,
    type: 'person',
    person_id: BO,
    person: { id: BO, name: 'Bo Birch' },
    created_at: '2026-03-01T07:00:00Z',
    acknowledged: '2026-03-01T07:05:00Z',
  }

  it('shows who was called in with the stage that comes next', async () => {
    await open()
    expect(text()).toContain('Loading responders…')
    await show([person, { kind: 'history', id: testId('y', 1), type: 'incident.created' }])
    const stages = [...screen.container.querySelectorAll<HTMLElement>('[data-stage]')]
    expect(screen.container.querySelectorAll('[aria-label="Responders"] > li')).toHaveLength(1)
    expect(text()).toContain('Bo Birch')
    expect(stages.map(({ dataset }) => dataset['stage'])).toEqual(['reached', 'reached', 'current', 'ahead'])
    expect(stages.map((stage) => stage.firstChild?.textContent)).toEqual([
      'Created',
      'Acknowledged',
      'Resolved',
      'Closed',
    ])
    expect(stages[2]?.getAttribute('aria-current')).toBe('step')
  })

  it('links the ticket of a team where its settings say how', async () => {
    const team = (linkUrl: string) => ({
      ...person,
      type: 'system',
      person_id: null,
      person: null,
      team_id: PRINTERS,
      external_id: 'OPS-7',
      properties: { responderType: 'jira' },
      team: { id: PRINTERS, name: 'Printers', spec: { responder_clients: { jira: { linkUrl } } } },
    })
    await open()
    await show([team('https://jira.example/browse/ID')])
    expect(screen.container.querySelector('[aria-label="Responders"] a')?.getAttribute('href')).toBe(
      'https://jira.example/browse/OPS-7',
    )
    expect(text()).toContain('Jira')
    await show([team('javascript:alert(ID)')])
    expect(screen.container.querySelector('[aria-label="Responders"] a')).toBeNull()
    expect(text()).toContain('OPS-7')
  })

  it('says why a team is not called in yet, and which types run elsewhere', async () => {
    const team = (properties: object) => ({
      ...person,
      type: 'system',
      person_id: null,
      person: null,
      team_id: PRINTERS,
      properties,
      team: { id: PRINTERS, name: 'Printers', spec: null },
    })
    await open()
    await show([team({ responderType: 'jira', error: 'it answered 401 Unauthorized' })])
    expect(text()).toContain('Not called in yet: it answered 401 Unauthorized')
    await show([team({ responderType: 'redhat' })])
    expect(text()).toContain('Redhat runs elsewhere')
    await show([
      { ...team({ responderType: 'jira', link: 'https://jira.example/browse/OPS-7' }), external_id: 'OPS-7' },
    ])
    expect(screen.container.querySelector('[aria-label="Responders"] a')?.getAttribute('href')).toBe(
      'https://jira.example/browse/OPS-7',
    )
  })

  it('marks a responder as deleted after a question', async () => {
    await open()
    await show([person])
    await screen.click(screen.container.querySelector('button[aria-label="Remove Bo Birch"]'))
    expect(sent).toEqual([])
    await screen.click(dialogButton('Remove responder'))
    await screen.waitFor(() => expect(toasts()).toContain('Responder deleted successfully'))
    expect(sent).toEqual([
      {
        method: 'PATCH',
        path: `/api/db/responders?id=eq.${RESPONDER}&deleted_at=is.null&select=id`,
        body: { deleted_at: 'now()' },
      },
    ])
  })

  it('says in the question why a responder was not removed, and stays', async () => {
    server.on('PATCH /api/db/responders', () => json({ message: 'the database is away' }, 503))
    await open()
    await show([person])
    await screen.click(screen.container.querySelector('button[aria-label="Remove Bo Birch"]'))
    await screen.click(dialogButton('Remove responder'))
    await screen.waitFor(() => expect(dialogText()).toContain('the database is away'))
    expect(dialogText()).toContain('Bo Birch leaves the responders of this incident for everyone.')
    expect(toasts()).not.toContain('the database is away')
  })

  it('offers no changes to those who only read', async () => {
    await open({ roles: ['viewer'] })
    await show([person])
    expect(text()).toContain('Bo Birch')
    expect(screen.container.querySelectorAll('button')).toHaveLength(0)
  })

  it('offers no changes once the document says that the right to write is gone', async () => {
    page = await world.openPage({ userId: ANA, name: 'Ana', canWrite: false })
    await open({ roles: ['responder'] })
    await show([person])
    expect(screen.container.querySelectorAll('button')).toHaveLength(0)
  })
})

describe('adding a responder', () => {
  it('adds a person at once', async () => {
    await openWizard()
    expect([dialogTitle(), currentStep()]).toEqual(['Add responder', 'Select Responder'])
    expect(dialogButton('Next')?.disabled).toBe(true)
    expect(options('or Person')).toEqual(['', ANA, BO])
    await setField(field('or Person'), BO)
    await screen.click(dialogButton('Add'))
    await screen.waitFor(() => expect(toasts()).toContain('Responder added successfully'))
    expect(sent).toEqual([
      {
        method: 'POST',
        path: '/api/db/responders?select=id',
        body: { type: 'person', incident_id: INCIDENT, created_by: 'user-1', person_id: BO, properties: {} },
      },
    ])
  })

  it('takes a team or a person, never both', async () => {
    await openWizard()
    await setField(field('or Person'), BO)
    await setField(field('Team'), PRINTERS)
    expect([field('Team')?.value, field('or Person')?.value]).toEqual([PRINTERS, ''])
    expect(dialogButton('Add')).toBeNull()
    await setField(field('or Person'), ANA)
    expect([field('Team')?.value, field('or Person')?.value]).toEqual(['', ANA])
    expect(dialogButton('Next')).toBeNull()
  })

  it('asks for the teams again when it opens: one may just have got a client', async () => {
    await openWizard()
    // As in the product, where most answers count as fresh for minutes.
    screen.queryClient.setDefaultOptions({ queries: { retry: false, staleTime: FRESH_MS.default } })
    await screen.click(dialogButton('Cancel'))
    server.on('GET /api/db/teams', () => json([...TEAMS, { id: testId('t', 3), name: 'New', icon: null, spec: null }]))
    await screen.click(addButton())
    await screen.waitFor(() => expect(options('Team')).toHaveLength(4))
  })

  it('says that teams or people could not be read, and asks again', async () => {
    server.on('GET /api/db/teams', () => json({ message: 'down' }, 500))
    server.on('GET /api/db/people', () => json({ message: 'down' }, 500))
    await open()
    await screen.click(addButton())
    await screen.waitFor(() => expect(dialogText()).toContain('Teams could not be read.'))
    await screen.waitFor(() => expect(dialogText()).toContain('People could not be read.'))
    server.on('GET /api/db/teams', () => json(TEAMS))
    server.on('GET /api/db/people', () => json([{ id: ANA, name: 'Ana Ash', email: 'ana@example.test' }]))
    await screen.click(dialogButton('Try again'))
    await screen.waitFor(() => expect(options('Team')).toHaveLength(3))
    await screen.waitFor(() => expect(options('or Person')).toEqual(['', ANA]))
    expect(dialogText()).not.toContain('could not be read')
  })

  it('has what was typed again after a session that ended', async () => {
    await openWizard()
    await chooseType(PRINTERS, 'email')
    await setField(field('Subject'), 'Come at once')
    await screen.close()
    await open()
    await screen.click(addButton())
    expect(currentStep()).toBe('Responder Details')
    expect(field('Subject')?.value).toBe('Come at once')
    await screen.click(dialogButton('Back'))
    expect(currentStep()).toBe('Responder Type')
  })

  it('says so when a team has no responders', async () => {
    await openWizard()
    await setField(field('Team'), CARRIERS)
    await screen.click(dialogButton('Next'))
    expect(dialogText()).toContain('There are no responders configured for this team')
    expect(dialogButton('Next')?.disabled).toBe(true)
  })

  it('offers the types of the team, fills templates in, keeps fixed values and saves', async () => {
    await openWizard()
    await setField(field('Team'), PRINTERS)
    await screen.click(dialogButton('Next'))
    expect([dialogTitle(), currentStep()]).toEqual(['Add responder', 'Responder Type'])
    const types = [...document.querySelectorAll<HTMLInputElement>('[role="dialog"] [type="radio"]')]
    expect(types.map(({ labels }) => labels?.[0]?.textContent)).toEqual(['Email', 'Jira'])
    await screen.click(types.find(({ value }) => value === 'email') ?? null)
    await screen.click(dialogButton('Next'))
    expect([field('To')?.value, field('To')?.disabled]).toEqual(['printers@example.org', true])
    expect(field('Subject')?.value).toBe('Labels are late')
    expect(field('Body')?.value).toBe('Open: Labels are late')
    await setField(field('Subject'), 'Please help')
    expect(field('Body')?.value).toBe('Open: Please help')
    await screen.click(dialogButton('Save'))
    await screen.waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]?.body).toEqual({
      type: 'system',
      incident_id: INCIDENT,
      created_by: 'user-1',
      team_id: PRINTERS,
      properties: {
        responderType: 'email',
        to: 'printers@example.org',
        subject: 'Please help',
        body: 'Open: Please help',
      },
    })
  })

  it('requires every field', async () => {
    await openWizard()
    await chooseType(PRINTERS, 'email')
    await setField(field('Subject'), ' ')
    await setField(field('Body'), '')
    expect(dialogText()).not.toContain('Please provide valid value')
    await screen.click(dialogButton('Save'))
    expect(dialogText().split('Please provide valid value')).toHaveLength(3)
    expect(sent).toEqual([])
  })

  it("locks the team's own ticket system and cascades what it offers", async () => {
    server.on('GET /api/db/configs', () =>
      json([
        { id: testId('g', 6), name: 'Other Jira', external_id: [CARRIERS] },
        { id: JIRA, name: 'Jira of Printers', external_id: [PRINTERS] },
      ]),
    )
    server.on('GET /api/db/config_detail', () =>
      json([
        {
          config: {
            projects: [
              { key: 'OPS', name: 'Operations', issueTypes: ['Bug'] },
              { key: 'WEB', name: 'Web', issueTypes: ['Story'] },
            ],
            priorities: ['High'],
          },
        },
      ]),
    )
    await openWizard()
    await chooseType(PRINTERS, 'jira')
    await screen.waitFor(() => expect(options('Project')).toEqual(['', 'OPS', 'WEB']))
    expect([field('Instance')?.value, field('Instance')?.disabled]).toEqual([JIRA, true])
    expect(field('Issue type')?.disabled).toBe(true)
    await setField(field('Project'), 'OPS')
    expect(field('Summary')?.value).toBe('Labels are late (OPS)')
    expect(options('Issue type')).toEqual(['', 'Bug'])
    await setField(field('Issue type'), 'Bug')
    await setField(field('Project'), 'WEB')
    expect(field('Issue type')?.value).toBe('')
    expect(options('Issue type')).toEqual(['', 'Story'])
  })

  it('leaves the choices empty when the ticket system cannot be asked', async () => {
    server.on('GET /api/db/configs', () => json({ message: 'no' }, 500))
    await openWizard()
    await chooseType(PRINTERS, 'jira')
    expect(options('Instance')).toEqual([''])
    expect(field('Project')?.disabled).toBe(true)
  })

  it('goes back step by step, and forgets everything when closed', async () => {
    await openWizard()
    await chooseType(PRINTERS, 'email')
    await setField(field('Subject'), 'Please help')
    await screen.click(dialogButton('Back'))
    expect(dialogText()).toContain('Responder Type')
    await screen.click(dialogButton('Next'))
    expect(field('Subject')?.value).toBe('Please help')
    await screen.click(dialogButton('Back'))
    await screen.click(dialogButton('Back'))
    expect(field('Team')?.value).toBe(PRINTERS)
    await screen.click(document.querySelector('[role="dialog"] [aria-label="Close"]'))
    await screen.waitFor(() => expect(document.querySelector('[role="dialog"]')).toBeNull())
    await screen.click(addButton())
    await screen.waitFor(() => expect(field('Team')).not.toBeNull())
    expect(field('Team')?.value).toBe('')
  })

  it('keeps the wizard open and shows why when adding fails', async () => {
    server.on('POST /api/db/responders', () => json({ message: 'the team is gone' }, 409))
    await openWizard()
    await setField(field('or Person'), BO)
    await screen.click(dialogButton('Add'))
    await screen.waitFor(() => expect(toasts()).toContain('the team is gone'))
    expect(field('or Person')?.value).toBe(BO)
  })
})
