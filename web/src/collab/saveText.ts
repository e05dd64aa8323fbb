import { DISCONNECTED } from '../live/freshnessText.ts'
import { countOf } from '../ui/countOf.ts'
import type { SaveProblem, SaveStatus } from './contract.ts'

/**
 * The words of the save pill.
 *
 * @param down how long the link has been silent, if known
 */
export function saveText({ state, isProven, unsent, isKept, problems }: SaveStatus, down = ''): string {
  switch (state) {
    case 'saved':
      // Without a proven link, nobody has confirmed yet that everything is saved.
      return isProven ? 'Saved' : 'Connecting…'
    case 'received':
      return 'Received'
    case 'typed':
      return 'Typing…'
    case 'offline':
      return [
        down === '' ? DISCONNECTED : `${DISCONNECTED} ${down}`,
        ...(unsent === 0 ? [] : [`${countOf(unsent, 'change')} ${isKept ? 'kept' : 'on this page only'}`]),
      ].join(', ')
    case 'problem':
      return `Not saved: ${problems.length > 1 ? `${problems.length} items` : (problems[0]?.message ?? 'unknown reason')}`
  }
}

interface Explained {
  /** Time of day of the last message on the link, if known. */
  readonly heardAt: string | null
  /** What people call the row of a problem; undefined when it is gone. */
  readonly nameOf: (problem: SaveProblem) => string | undefined
}

/** What the state means, for the tooltip. */
export function saveExplanation(
  { state, isProven, isKept, problems }: SaveStatus,
  { heardAt, nameOf }: Explained,
): string {
  switch (state) {
    case 'saved':
      if (!isProven) return 'Not connected yet. You see the incident as it was.'
      return 'All changes are saved in the incident’s records.'
    case 'received':
      return 'All changes are safe on the server and are being written to the incident’s records.'
    case 'typed':
      return `Your latest changes are only ${isKept ? 'in this browser' : 'on this page'} so far.`
    case 'offline':
      return [
        heardAt === null ? 'You’re offline.' : `You see the incident as of ${heardAt}.`,
        isKept
          ? 'Changes stay in this browser and are sent when you’re back online.'
          : 'Your browser can’t keep changes: leave this page open until you’re back online.',
      ].join(' ')
    case 'problem':
      return problems
        .map((problem) => {
          const name = nameOf(problem)
          return name === undefined ? problem.message : `${name}: ${problem.message}`
        })
        .join(' · ')
  }
}

/**
 * What a screen reader announces. Null for states that come and go with every word typed: they would never stop.
 */
export function saveAnnouncement(save: SaveStatus): string | null {
  const isPassing = save.state === 'typed' || save.state === 'received' || (save.state === 'saved' && !save.isProven)
  return isPassing ? null : saveText(save)
}
