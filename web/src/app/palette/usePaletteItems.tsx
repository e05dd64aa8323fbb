import { History } from '@blueprintjs/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SEARCH_KINDS, type SearchKind } from '@watchroom/shared/resources'
import { useAtomValue } from 'jotai'
import { createElement, type ReactElement, useMemo } from 'react'

import { useBackendFacts } from '../../api/backendFacts.ts'
import { useDisabledAreas } from '../../api/featureFlags.tsx'
import { errorText } from '../../api/request.ts'
import { resourceSearchQuery } from '../../api/resources.ts'
import { useSession } from '../../api/session.tsx'
import { type RecentPlace, recentPlacesAtom } from '../../preferences/recentPlaces.ts'
import { useDebounced } from '../../ui/clock.tsx'
import { type Command, type CommandChoice, listCommands } from '../../ui/commands.ts'
import { StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { bestMatches } from './matchText.ts'
import { visiblePlaces } from './places.ts'
import { KINDS_OF_PLACES, noteOf } from './resourcePlaces.tsx'
import { useOwnCommands } from './useOwnCommands.tsx'

/** Milliseconds without a key before resources are searched (first specification, section 9). */
const SEARCH_PAUSE_MS = 300

interface ItemBase {
  /** Unique in the list. */
  readonly id: string
  readonly title: string
  readonly note?: string
  /** The same element while it looks the same: see `Option`. */
  readonly icon?: ReactElement | undefined
}
export type PaletteItem = ItemBase &
  (
    | { readonly kind: 'command'; readonly command: Command }
    | { readonly kind: 'place'; readonly place: Omit<RecentPlace, 'userId'> }
    | { readonly kind: 'choice'; readonly choice: CommandChoice }
  )

interface PaletteGroup {
  readonly title: string
  readonly items: readonly PaletteItem[]
}

export interface PaletteItems {
  readonly groups: readonly PaletteGroup[]
  /** Resources are being searched, or will be in a moment. */
  readonly isSearching: boolean
  /** Why the results contain no resources. */
  readonly failure: string | null
}

/** What a leading character narrows the list to. */
const PREFIXES: ReadonlyMap<string, 'commands' | 'places' | SearchKind> = new Map([
  ['>', 'commands'],
  ['/', 'places'],
  ['#', 'incidents'],
  [':', 'checks'],
  ['@', 'people'],
])

/** Everything that matches the typed text: recent places first, then commands, places to go, and search results. */
export function usePaletteItems(typed: string): PaletteItems {
  const { roles, can, user } = useSession()
  const disabledAreas = useDisabledAreas()
  const missing = useBackendFacts()?.missing
  const recent = useAtomValue(recentPlacesAtom)
  const only = PREFIXES.get(typed.charAt(0))
  const text = (only === undefined ? typed : typed.slice(1)).trim()
  const wants = (what: NonNullable<typeof only>): boolean => only === undefined || only === what

  const kinds = (Object.keys(KINDS_OF_PLACES) as SearchKind[]).filter((kind) => {
    const { area } = KINDS_OF_PLACES[kind]
    return wants(kind) && can('read', SEARCH_KINDS[kind]) && (area === undefined || !disabledAreas.has(area))
  })
  const settled = useDebounced(text, SEARCH_PAUSE_MS)
  const isAsked = settled !== '' && text !== '' && kinds.length > 0
  const search = useQuery({
    ...resourceSearchQuery(settled, kinds),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })

  const places = useMemo(
    () =>
      visiblePlaces({ roles, can, disabledAreas, missing: missing ?? [], user }).map(({ icon, ...place }) => ({
        ...place,
        icon: icon && createElement(icon),
      })),
    [roles, can, disabledAreas, missing, user],
  )
  const ofPage = wants('commands') ? bestMatches(listCommands(), text) : []
  const ofPerson = useOwnCommands()
  // With nothing typed, commands of the page are useful, personal settings are not.
  const ofPersonShown = wants('commands') && (text !== '' || only === 'commands') ? bestMatches(ofPerson, text) : []
  const found = isAsked ? (search.data ?? {}) : {}
  // Results for an earlier text stay for a moment, filtered, so that none is chosen by mistake.
  const isOfBefore = settled !== text || search.isPlaceholderData
  const ownRecent = recent.filter((each) => each.userId === user.id)
  const recentShown = bestMatches(ownRecent, text).filter(({ kind }) =>
    kind === 'place' ? wants('places') : kinds.includes(kind),
  )
  const isRecent = new Set(recentShown.map(({ path }) => path))

  const groups: PaletteGroup[] = [
    {
      title: 'Recent',
      items: recentShown.map((place) => ({
        kind: 'place',
        id: `recent ${place.path}`,
        title: place.title,
        note: place.note,
        icon: place.kind === 'place' ? HISTORY : KINDS_OF_PLACES[place.kind].icon,
        place,
      })),
    },
    {
      title: 'On this page',
      items: ofPage.map((command, at) => toItem(command, `page ${command.title} ${at}`)),
    },
    {
      title: 'Go to',
      items: (wants('places') ? bestMatches(places, text) : [])
        .filter(({ path }) => !isRecent.has(path))
        .map(({ path, title, icon }) => {
          const note = path.startsWith('/settings/') ? 'Settings' : ''
          return {
            kind: 'place',
            id: path,
            title,
            note,
            icon,
            place: { path, title, note, kind: 'place' },
          }
        }),
    },
    {
      title: 'For you',
      items: ofPersonShown.map((command) => toItem(command, `own ${command.title}`)),
    },
    ...kinds.map((kind): PaletteGroup => {
      const { title, icon, pathOf } = KINDS_OF_PLACES[kind]
      return {
        title,
        items: bestMatches(
          (found[kind] ?? []).map((resource) => ({
            resource,
            path: pathOf(resource, can),
            title: resource.name,
            note: noteOf(kind, resource),
          })),
          isOfBefore ? text : '',
        )
          .filter(({ path }) => !isRecent.has(path))
          .map(({ resource: { id, name, status }, path, note }) => ({
            kind: 'place',
            id: `${kind} ${id}`,
            title: name,
            note,
            icon: kind === 'checks' ? glyphOf(status) : icon,
            place: { path, title: name, note, kind },
          })),
      }
    }),
  ]
  return {
    groups: groups.filter(({ items }) => items.length > 0),
    isSearching: text !== '' && kinds.length > 0 && (settled !== text || search.isFetching),
    failure: isAsked && search.isError && !search.isFetching ? errorText(search.error) : null,
  }
}

const toItem = (command: Command, id: string): PaletteItem => ({
  kind: 'command',
  id,
  title: command.title,
  ...(command.disabledReason === undefined ? {} : { note: command.disabledReason }),
  icon: command.icon,
  command,
})

const HISTORY = <History />
const GLYPHS = {
  healthy: <StatusGlyph status="healthy" isWordHidden />,
  unhealthy: <StatusGlyph status="unhealthy" isWordHidden />,
  unknown: <StatusGlyph status="unknown" isWordHidden />,
}

const glyphOf = (status: string | undefined): ReactElement =>
  GLYPHS[status === 'healthy' || status === 'unhealthy' ? status : 'unknown']
