import type { Role } from '@watchroom/shared/access'
import type { SettingsResource } from '@watchroom/shared/settings'
import { act, type ReactNode } from 'react'
import { vi } from 'vitest'

import { createFakeServer, type FakeServer, json } from '#support/web/fakeServer.ts'
import { type Page, pageOf } from '#support/web/page.ts'
import { type RenderedScreen, renderScreen } from '#support/web/renderScreen.tsx'

import { showErrorToast, showToast } from '../../../../web/src/ui/toaster.ts'

/** One screen of settings with the server it talks to. The test file mocks `ui/toaster.ts`, and the editor away. */
export interface SettingsPage extends Page {
  readonly screen: RenderedScreen
  readonly server: FakeServer
  /** Bodies of what was written, in order. */
  readonly bodies: unknown[]
  readonly toasts: () => string[]
  /** Answers what is written to the table from now on. */
  readonly onWrite: (answer: (url: URL) => Response) => void
  readonly submit: () => Promise<void>
  readonly errorOf: (field: HTMLElement) => string | undefined
}

export async function openSettings(
  definition: SettingsResource,
  node: ReactNode,
  options: { rows?: readonly object[]; roles?: readonly Role[]; address?: string } = {},
): Promise<SettingsPage> {
  const { rows = [], roles = ['admin'], address = `/settings/${definition.table}` } = options
  const server = createFakeServer()
  const bodies: unknown[] = []
  server.on(`GET /api/db/${definition.table}`, () => json(rows))
  const onWrite = (answer: (url: URL) => Response): void => {
    for (const method of ['POST', 'PATCH']) {
      server.on(`${method} /api/db/${definition.table}`, (url, init) => {
        bodies.push(JSON.parse(init.body as string))
        return answer(url)
      })
    }
  }
  const screen = await renderScreen(node, { address, roles })
  const page = pageOf()
  return {
    ...page,
    screen,
    server,
    bodies,
    onWrite,
    toasts: () => [...vi.mocked(showToast).mock.calls, ...vi.mocked(showErrorToast).mock.calls].map(([text]) => text),
    submit: async () => {
      await act(async () => document.querySelector('form')?.requestSubmit())
      await screen.advance(0)
    },
    errorOf: (field) => {
      const holder = field.closest('fieldset') ?? field
      const ids = (holder.getAttribute('aria-describedby') ?? '').split(' ')
      return ids
        .map((id) => (id.endsWith('-error') ? document.getElementById(id)?.textContent : undefined))
        .find(Boolean)
    },
  }
}
