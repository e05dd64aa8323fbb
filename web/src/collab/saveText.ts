import { DISCONNECTED } from '../live/freshnessText.ts'
import type { SaveStatus } from './contract.ts'

/** The words of the save pill. */
export function saveText({ state, isProven, unsent, problems }: SaveStatus): string {
  switch (state) {
    case 'saved':
      // What was saved once may not be any more: nobody has said so yet.
      return isProven ? 'Saved' : 'Connecting…'
    case 'received':
      return 'Received'
    case 'typed':
      return 'Typing…'
    case 'offline':
      return unsent === 0 ? DISCONNECTED : `${DISCONNECTED}, ${unsent} ${unsent === 1 ? 'change' : 'changes'} kept`
    case 'problem':
      return `Not saved: ${problems[0]?.message ?? 'unknown reason'}`
  }
}

/** What the state means, for the tooltip. */
export function saveExplanation({ state, isProven, problems }: SaveStatus): string {
  switch (state) {
    case 'saved':
      if (!isProven) return 'Not connected yet. You see the incident as it was.'
      return 'All changes are saved in the incident’s records.'
    case 'received':
      return 'All changes are safe on the server and are being written to the incident’s records.'
    case 'typed':
      return 'Your latest changes are only in this browser so far.'
    case 'offline':
      return 'You’re offline. Changes stay in this browser and are sent when you’re back online.'
    case 'problem':
      return problems.map(({ message }) => message).join(' · ')
  }
}

/**
 * What a screen reader is told. Null for states that come and go with every word typed: they would never stop speaking.
 */
export function saveAnnouncement(save: SaveStatus): string | null {
  const isPassing = save.state === 'typed' || save.state === 'received' || (save.state === 'saved' && !save.isProven)
  return isPassing ? null : saveText(save)
}
