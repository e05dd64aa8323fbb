// Which file of the bundle a module goes into, and which modules the screen of each address starts with.
import { resolve } from 'node:path'

import type { Plugin } from 'vite'

const SOURCES = resolve(import.meta.dirname, '../src')

/** What `/health` loads before anyone touches the page; e2e/journeys/first-load.spec.ts checks in a browser that this is all. */
export const FIRST_SCREEN = [
  'app/HealthPage.tsx',
  'app/CredentialNotice.tsx',
  'features/health-board/components/FilterPanel.tsx',
  'features/health-board/components/RefreshRate.tsx',
].map((path) => `${SOURCES}/${path}`)

const onFirstScreen = new Set<string>()
/** Only the large packages: the index of a package names everything in it. */
export const isOnFirstScreen = (id: string): boolean =>
  SMALL_PARTS.test(id) ||
  (onFirstScreen.has(id) &&
    (id.includes('/web/src/') || (id.includes('/node_modules/@tanstack/') && !OF_FORMS.test(id))))
/** Single icons, topics and rules. As a file of its own, each would cost a request and half its size again. */
const SMALL_PARTS =
  /\/(?:components\/(?:caret-up|collapse-all|desktop|double-caret-vertical|expand-all|filter|plus|settings|th-list|html-select\/htmlSelect)\.js|ui\/TimeAgo\.tsx|(?:topics\/(?:checks|silences|waitingRuns)|createSilenceFinder|health\/(?:checkFacts|labelFilter))\.ts)$/
/** Imported only by the index of their packages. */
const OF_FORMS = /\/(?:useBlocker|useMutation|mutationObserver|mutationOptions)\.js$/

/** By module ID, the addresses whose screens start with that module. Modules of the first screen are in files of their own. */
const beginners = new Map<string, Set<string>>()
const LISTS = new Set(['catalog', 'catalog/changes', 'catalog/insights', 'incidents'])
/** Modules below no screen that dashboard and catalog share, and those that the dashboard shares with other areas. */
const OF_PARTS =
  /\/(?:components\/(?:more|small-cross)\.js|utils\/compareUtils\.js|classic\/coerce\.js|catalog\/(?:configType|filter|rowFields)\.ts)$/
const OF_PANELS =
  /\/(?:components\/(?:pause|play)\.js|tag\/tag\.js|classic\/iso\.js|topology\/component(?:Health)?\.ts)$/

/** In the order in which they take modules. Each also gets what its modules import, unless an earlier one has it. */
export const SHARED_FILES = ['parts', 'panels', 'dashboard', 'lists', 'catalog'] as const

/**
 * The file that a module goes into. Screens start with dozens of small modules. As separate files they would queue for the six
 * connections of a browser, ahead of the page's requests. One file holds what the dashboard and the catalog share, one what the
 * dashboard shares with other areas, one what else the dashboard starts with, one the long lists, and one what pages of the catalog
 * have in common.
 */
export function fileOf(id: string): (typeof SHARED_FILES)[number] | null {
  if (isOnFirstScreen(id)) return null
  if (OF_PARTS.test(id)) return 'parts'
  if (OF_PANELS.test(id)) return 'panels'
  const addresses = [...(beginners.get(id) ?? [])]
  const areas = new Set(addresses.map((address) => (address === 'index' ? 'topology' : address.split('/')[0])))
  if (addresses.includes('index')) {
    if (areas.size === 1 && !/\/src\/(?:ui|live|api)\//.test(id)) return 'dashboard'
    return addresses.includes('catalog') ? 'parts' : 'panels'
  }
  if (!addresses.includes('catalog')) return null
  if (areas.size > 1) return addresses.every((address) => LISTS.has(address)) ? 'lists' : 'parts'
  return addresses.length > 1 ? 'catalog' : null
}

/** The modules that the screen of an address starts with. Its HTML names them, so that the browser need not wait for the frame to run. */
export const OPENED: Readonly<Record<string, readonly string[]>> = {
  // Where `/` leads.
  index: ['TopologyPage.tsx'],
  topology: ['TopologyPage.tsx'],
  'topology/$id': ['screenParts.ts', 'TopologyPage.tsx', '../features/topology/panel/ComponentPanel.tsx'],
  health: ['HealthPage.tsx'],
  incidents: ['screenParts.ts', '../features/incident-list/screens/IncidentListScreen.tsx'],
  'incidents/$id': ['screenParts.ts', 'IncidentPage.tsx'],
  catalog: ['CatalogPage.tsx'],
  'catalog/changes': ['catalogParts.ts', 'ChangesPage.tsx'],
  'catalog/insights': ['catalogParts.ts', 'InsightsPage.tsx'],
  'catalog/$id': ['catalogParts.ts', 'ConfigPage.tsx'],
  logs: ['screenParts.ts', 'LogsPage.tsx'],
  playbooks: ['screenParts.ts', '../features/playbooks/screens/PlaybooksScreen.tsx'],
}

/** The ID of a client module named as above. */
export const toModuleId = (module: string): string => resolve(SOURCES, 'app', module)

/** Finds the modules of first screens, before modules are assigned to files. */
export const modulesOfScreens: Plugin = {
  name: 'watchroom:modules-of-screens',
  apply: 'build',
  buildEnd() {
    const find = (id: string): void => {
      if (onFirstScreen.has(id)) return
      onFirstScreen.add(id)
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) find(imported)
    }
    for (const id of FIRST_SCREEN) find(id)
    for (const [address, modules] of Object.entries(OPENED)) {
      const follow = (id: string): void => {
        const known = beginners.get(id) ?? new Set()
        if (known.has(address) || onFirstScreen.has(id) || !id.includes('/web/src/')) return
        beginners.set(id, known.add(address))
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) follow(imported)
      }
      for (const module of modules) follow(toModuleId(module))
    }
  },
}
