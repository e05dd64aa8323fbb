// What an item looked like after each of its changes, rebuilt from what it looks like now.
import { toConfigText } from './configText.ts'
import { revertUnifiedDiff } from './unifiedDiff.ts'

/** A change that says what it took away and brought. */
export interface ContentChange {
  readonly id: string
  readonly diff: string
}

export interface ContentVersion<Change extends ContentChange> {
  /** What led to it; null for what there was before the first change. */
  readonly change: Change | null
  readonly text: string
}

export interface ContentHistory<Change extends ContentChange> {
  /** Newest first. */
  readonly versions: readonly ContentVersion<Change>[]
  /** The change that could not be taken back: nothing is known of what there was before it. Null when all could. */
  readonly brokenAt: Change | null
  /** There are earlier ones, and they would be too much together. */
  readonly isCut: boolean
}

/** Of all versions together: what a browser holds without harm. */
const MAX_CHARACTERS = 30_000_000

/**
 * @param config the content now
 * @param changes newest first, without a gap
 */
export function rebuildVersions<Change extends ContentChange>(
  config: unknown,
  changes: readonly Change[],
  maxCharacters = MAX_CHARACTERS,
): ContentHistory<Change> {
  const [newest] = changes
  const texts = toContentTexts(config)
  // Sources write the same content in several ways; the newest diff fits one of them.
  const fitting = newest && texts.find((candidate) => revertUnifiedDiff(candidate, newest.diff) !== null)
  let text = fitting ?? texts[0] ?? ''
  const versions: ContentVersion<Change>[] = []
  let characters = 0
  for (const change of changes) {
    versions.push({ change, text })
    characters += text.length
    if (characters > maxCharacters) return { versions, brokenAt: null, isCut: true }
    const before = revertUnifiedDiff(text, change.diff)
    if (before === null) return { versions, brokenAt: change, isCut: false }
    text = before
  }
  versions.push({ change: null, text })
  return { versions, brokenAt: null, isCut: false }
}

/** The ways in which content may have been written before it was compared: as here, and as JSON by other servers. */
function toContentTexts(config: unknown): string[] {
  const own = toConfigText(config)
  if (typeof config === 'string') return [own]
  return [own, JSON.stringify(sortKeys(config), null, 2), JSON.stringify(config ?? null, null, 2)]
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value ?? null
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, child]) => [key, sortKeys(child)]))
}

/** The version that was in force at a moment: what the last change before it led to. @param changedAt of a change */
export function versionAt<Change extends ContentChange>(
  versions: readonly ContentVersion<Change>[],
  moment: number,
  changedAt: (change: Change) => number,
): ContentVersion<Change> | undefined {
  return versions.find(({ change }) => change === null || changedAt(change) <= moment)
}
