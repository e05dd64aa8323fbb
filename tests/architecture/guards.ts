// What the page asks a right for, read from its sources: each file that asks is a control, a section of a page, or a screen.
import type { Action, Resource } from '@watchroom/shared/access'
import { SEARCH_KINDS } from '@watchroom/shared/resources'
import { INTEGRATION_TABLES, SETTINGS_RESOURCES } from '@watchroom/shared/settings'

import { readSources } from './sources.ts'

interface Guard {
  readonly path: string
  /** What the file shows, in words. */
  readonly name: string
  readonly action: Action
  /** A resource, or the expression that says which. */
  readonly resource: string
}

const ASKED = /\bcan\(\s*'(read|write)',\s*([^()]+?)\s*\)/g
/** With the area that it belongs to. */
const ASKED_OF_AREA = /\bmayRead\(\s*('\w+'),\s*'[\w.]+'\s*\)/g

/** `features/check-panel/components/RunCheck.tsx` shows "run check". */
const toName = (path: string): string =>
  (path.split('/').at(-1) ?? '')
    .replace(/\.tsx?$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()

const GUARDS: readonly Guard[] = readSources('web/src').flatMap(({ path, text }) =>
  [
    ...text.matchAll(ASKED),
    ...Array.from(text.matchAll(ASKED_OF_AREA), ([all, resource]) => [all, 'read', resource] as const),
  ].map(([, action, resource = '']) => ({
    path,
    name: toName(path),
    action: action as Action,
    // A part of it may have an object of its own in another backend's policy, named behind it.
    resource: /^'(\w+)'(?:, '\w+')?$/.exec(resource)?.[1] ?? resource,
  })),
)

const SETTINGS = Object.values(SETTINGS_RESOURCES).map(({ resource }) => resource)

/** Screens and lists of many resources, which ask for the one at hand; those of the shell ask what the list of screens says. */
const SEVERAL: Readonly<Record<string, readonly Resource[]>> = {
  'web/src/app/CatalogFrame.tsx': [],
  'web/src/app/RootFrame.tsx': [],
  'web/src/api/useMayRead.ts': [],
  'web/src/app/navigation.ts': [],
  'web/src/app/palette/places.ts': [],
  'web/src/features/config-item/configTabs.ts': [],
  'web/src/app/palette/usePaletteItems.tsx': Object.values(SEARCH_KINDS),
  'web/src/collab/SettingsHistory.tsx': SETTINGS,
  'web/src/collab/settingsVersions.ts': SETTINGS,
  'web/src/features/integrations/AddIntegrationDialog.tsx': Object.values(INTEGRATION_TABLES).map(
    (table) => SETTINGS_RESOURCES[table].resource,
  ),
  'web/src/features/settings/screens/NewSettingsScreen.tsx': SETTINGS,
  'web/src/features/settings/screens/SettingsListScreen.tsx': SETTINGS,
  'web/src/features/settings/screens/SettingsScreen.tsx': SETTINGS,
  'web/src/features/teams/TeamMembers.tsx': [SETTINGS_RESOURCES.teams.resource],
}

/** Files that ask for the resource at hand, and of which nothing is known yet. */
export const unknownGuards = (resources: readonly string[]): string[] =>
  GUARDS.flatMap(({ path, resource }) =>
    resources.includes(resource) || Object.hasOwn(SEVERAL, path) ? [] : [`${path}: ${resource}`],
  )

/** Lines about files that are gone, or ask for nothing that has to be told of. */
export const needlessLines = (resources: readonly string[]): string[] =>
  Object.keys(SEVERAL).filter((named) =>
    GUARDS.every(({ path, resource }) => path !== named || resources.includes(resource)),
  )

/** Files that ask for such a right, from `web/src` on, and for which; null where they ask for the resource at hand. */
export const askersOf = (action: Action): readonly { readonly path: string; readonly resource: string | null }[] =>
  GUARDS.filter((guard) => guard.action === action).map(({ path, resource }) => ({
    path: path.replace('web/src/', ''),
    resource: Object.hasOwn(SEVERAL, path) ? null : resource,
  }))

/** Names of what asks for the right, each once. */
export function controlsOf(action: Action, resource: Resource): string[] {
  const asking = GUARDS.filter(
    (guard) =>
      guard.action === action &&
      (guard.resource === resource || (SEVERAL[guard.path] ?? []).some((one) => one === resource)),
  )
  return [...new Set(asking.map(({ name }) => name))].toSorted()
}
