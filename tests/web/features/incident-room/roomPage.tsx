import type { IncidentRows } from '@watchroom/shared/collab'
import type { FeatureArea } from '@watchroom/shared/settings'
import { act, type ReactNode } from 'react'
import { vi } from 'vitest'

import { ANA, BO, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld, type Page, type PageOptions } from '#support/incidentWorld.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen, type ScreenOptions } from '#support/web/renderScreen.tsx'

import { FixedFeatureFlags } from '../../../../web/src/api/featureFlags.tsx'
import { IncidentRoomProvider } from '../../../../web/src/collab/IncidentRoomProvider.tsx'
import { IncidentRoomView } from '../../../../web/src/features/incident-room/components/IncidentRoomView.tsx'

export interface RoomPage {
  readonly world: IncidentWorld
  readonly page: Page
  readonly server: FakeServer
  readonly screen: RenderedScreen
  /** What is rendered, to be rendered again. */
  view(): ReactNode
  text(): string
  row(hypothesisId: string): HTMLElement
  find<Found extends HTMLElement>(selector: string, kind: new () => Found): Found
  /** The control with this accessible name. */
  named<Found extends HTMLElement>(name: string, kind: new () => Found): Found
  /** Something that is done not through the page, and the time it takes to arrive here. */
  happens(change: () => void): Promise<void>
  join(options: PageOptions): Promise<Page>
  press(target: Element, init: KeyboardEventInit): Promise<void>
  typeInto(field: HTMLInputElement | HTMLTextAreaElement, value: string): Promise<void>
  choose(field: HTMLSelectElement, value: string): Promise<void>
  close(): Promise<void>
}

interface RoomOptions extends PageOptions, Pick<ScreenOptions, 'roles'> {
  isServerSilent?: boolean
  rows?: IncidentRows
  /** Columns of the incident. */
  row?: object
  /** As the server lists them. */
  rules?: readonly object[]
  /** Areas that are switched off. */
  disabled?: readonly FeatureArea[]
}

/** The screen of an incident on a real document, connected to a real room in memory. */
export async function openRoom(
  address: string,
  { isServerSilent = false, rows, row = {}, rules, roles, disabled = [], ...options }: RoomOptions = {},
): Promise<RoomPage> {
  const server = createFakeServer()
  const silence = new Promise<Response>(() => undefined)
  server.on('GET /api/db/people', () =>
    isServerSilent
      ? silence
      : json([
          { id: ANA, name: 'Ana Ash', email: 'ana@example.test' },
          { id: BO, name: 'Bo', email: 'bo@example.test' },
          // No person: nobody may be asked to name it.
          { id: testId('u', 9), name: 'System', email: null },
        ]),
  )
  server.on('GET /api/db/incidents', () =>
    isServerSilent
      ? silence
      : json([{ incident_id: 'INC-7', created_at: '2026-03-01T07:00:00Z', created_by: BO, ...row }]),
  )
  if (rules) server.on('GET /api/db/incident_rules', () => json(rules))
  const world = await createIncidentWorld(rows)
  const page = await world.openPage({ userId: ANA, name: 'Ana Ash', ...options })
  const view = (): ReactNode => (
    <FixedFeatureFlags areas={new Set(disabled)}>
      <IncidentRoomProvider id={INCIDENT} connection={page}>
        <IncidentRoomView incidentId={INCIDENT} />
      </IncidentRoomProvider>
    </FixedFeatureFlags>
  )
  const screen = await renderScreen(view(), {
    address,
    clock: world.clock,
    ...(roles ? { roles } : {}),
  })
  const find = <Found extends HTMLElement>(selector: string, kind: new () => Found): Found => {
    const found = document.body.querySelector(selector)
    if (!(found instanceof kind)) throw new Error(`there is no ${selector}`)
    return found
  }
  const settle = () => screen.advance(300)
  return {
    world,
    page,
    server,
    screen,
    find,
    view,
    text: () => document.body.textContent ?? '',
    row: (id) => find(`[role="treeitem"][data-entity="hypotheses/${id}"]`, HTMLElement),
    named: (name, kind) => find(`[aria-label="${name}"]`, kind),
    happens: async (change) => {
      await act(async () => {
        change()
        await world.settle()
      })
      await screen.advance(1_000)
    },
    join: async (joining) => {
      let joined: Page | null = null
      await act(async () => {
        joined = await world.openPage(joining)
      })
      if (joined === null) throw new Error('nobody joined')
      return joined
    },
    press: async (target, init) => {
      await act(async () =>
        target.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init })),
      )
      await settle()
    },
    typeInto: async (field, value) => {
      await act(async () => {
        // React listens to the native setter; assigning `value` would go unnoticed.
        const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
        Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
        field.setSelectionRange(value.length, value.length)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      })
      await settle()
    },
    choose: async (field, value) => {
      await act(async () => {
        Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value')?.set?.call(field, value)
        field.dispatchEvent(new Event('change', { bubbles: true }))
      })
      await settle()
    },
    close: async () => {
      await screen.close()
      await world.close()
      vi.unstubAllGlobals()
    },
  }
}
