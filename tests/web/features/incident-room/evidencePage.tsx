import { DocumentEditError, type IncidentEditor } from '@watchroom/shared/collab'
import { act, type ReactNode } from 'react'
import { vi } from 'vitest'

import { ANA, BO, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createIncidentWorld, type IncidentWorld, type Page, type PageOptions } from '#support/incidentWorld.ts'
import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import type { IncidentRoom } from '../../../../web/src/collab/contract.ts'
import { IncidentRoomProvider } from '../../../../web/src/collab/IncidentRoomProvider.tsx'

export const QUEUE = testId('h', 2)
export const CHECK_EVIDENCE = testId('e', 1)
export const CHECK = testId('c', 1)

/** Evidence about nothing yet, of the second hypothesis. */
export const NOTHING = {
  hypothesis_id: QUEUE,
  description: '',
  config_id: null,
  config_change_id: null,
  config_analysis_id: null,
  component_id: null,
  check_id: null,
  evidence: null,
  properties: null,
}

export interface EvidencePage {
  readonly world: IncidentWorld
  readonly server: FakeServer
  /** The one whose page is shown unless another one is given, and someone else. */
  readonly ana: Page
  readonly bo: Page
  readonly screen: RenderedScreen
  /** Shows a part of the room as `page` sees it. */
  show(part: ReactNode, page?: Page): Promise<void>
  join(options: PageOptions): Promise<Page>
  /** What the others did arrives. */
  settle(): Promise<void>
  close(): Promise<void>
}

/** A room in memory with two people in it, and a backend that knows one name and no details. */
export async function openEvidencePage(): Promise<EvidencePage> {
  const server = createFakeServer()
  server.on('GET /api/db/people', () => json([{ id: ANA, name: 'Ana Ash' }]))
  server.on('GET /api/db/evidences', () => json([]))
  server.on('GET /api/db/check_statuses', () => json([]))
  const world = await createIncidentWorld()
  const ana = await world.openPage({ userId: ANA, name: 'Ana' })
  const bo = await world.openPage({ userId: BO, name: 'Bo' })
  let screen: RenderedScreen | null = null
  return {
    world,
    server,
    ana,
    bo,
    get screen() {
      if (screen === null) throw new Error('nothing is shown yet')
      return screen
    },
    show: async (part, page = ana) => {
      screen = await renderScreen(
        <IncidentRoomProvider id={INCIDENT} connection={page}>
          {part}
        </IncidentRoomProvider>,
        { clock: world.clock },
      )
    },
    join: (options) => world.openPage(options),
    settle: () => act(() => world.settle()),
    close: async () => {
      await screen?.close()
      await world.close()
      vi.unstubAllGlobals()
    },
  }
}

export const evidenceOf = (page: Page, id: string) => page.room().view.evidence.find((each) => each.id === id)

/** The same page with parts of its room as a test wants them, for what a real room is seldom or never. */
export function withRoom(page: Page, patch: (room: IncidentRoom) => Partial<IncidentRoom>): Page {
  let known: { readonly from: IncidentRoom; readonly to: IncidentRoom } | null = null
  return {
    ...page,
    edit: page.edit,
    room: () => {
      const from = page.room()
      if (known?.from !== from) known = { from, to: { ...from, ...patch(from) } }
      return known.to
    },
  }
}

/** The same page, where the document refuses one edit, as it does when others were faster. */
export function refusing(page: Page, edit: keyof IncidentEditor): Page {
  const refuse = (): never => {
    throw new DocumentEditError('evidence', 'This evidence no longer exists')
  }
  return withRoom(page, (room) => ({ edit: { ...room.edit, [edit]: refuse } }))
}
