import { z } from 'zod'

import type { Resource } from '../../access/index.ts'
import { SETTINGS_RESOURCES, type SettingsTable } from '../../settings/index.ts'
import type { Topic } from '../topic.ts'

const PAGES = {
  canaries: 'canaries',
  notification_silences: 'notifications',
  notifications: 'notifications',
  playbook_runs: 'playbook_runs',
  playbooks: 'playbooks',
} as const satisfies Record<string, Resource>

export type PresencePage = keyof typeof PAGES | SettingsTable

/** Pages of one row on which people see who else is there: by the table of the row, and whose right opens the page. */
export const PRESENCE_PAGES: Readonly<Record<PresencePage, Resource>> = {
  ...PAGES,
  ...(Object.fromEntries(
    Object.entries(SETTINGS_RESOURCES).map(([table, { resource }]) => [table, resource]),
  ) as Record<SettingsTable, Resource>),
}

const PresentTabSchema = z.object({
  /** A number: it names the tab, and nothing else. */
  id: z.string(),
  userId: z.string(),
  name: z.string(),
})

/** A tab of a person who has the page open, as the session of its socket says. */
export type PresentTab = z.infer<typeof PresentTabSchema>

/** Who has a page open. Whoever reads it is there: a subscription is all that anyone says of themselves. */
export const presenceTopic: Topic<{ page: PresencePage; id: string }, PresentTab> = {
  name: 'presence',
  params: z.strictObject({ page: z.enum(Object.keys(PRESENCE_PAGES) as [PresencePage]), id: z.guid() }),
  row: PresentTabSchema,
  key: 'id',
  resource: ({ page }) => PRESENCE_PAGES[page],
  source: ({ page, id }) => `${page}?id=eq.${id}`,
  // Names of people.
  quotes: ['people'],
  isLeftAtOnce: true,
}
