import type { SaveStatus } from './contract.ts'

/** The words of the save pill. */
export function saveText({ state, unsent, problems }: SaveStatus): string {
  switch (state) {
    case 'saved':
      return 'Saved'
    case 'received':
      return 'Received'
    case 'typed':
      return 'Typing…'
    case 'offline':
      return unsent === 0 ? 'Offline' : `Offline, ${unsent} ${unsent === 1 ? 'change' : 'changes'} kept`
    case 'problem':
      return `Not saved: ${problems[0]?.message ?? 'unknown reason'}`
  }
}

/** What the state means, for the tooltip. */
export function saveExplanation({ state, problems }: SaveStatus): string {
  switch (state) {
    case 'saved':
      return 'All changes are in the incident’s records.'
    case 'received':
      return 'All changes are safe on the server and on their way into the incident’s records.'
    case 'typed':
      return 'The newest changes are only here yet.'
    case 'offline':
      return 'There is no connection. Changes are kept in this browser and sent when it is back.'
    case 'problem':
      return problems.map(({ message }) => message).join(' · ')
  }
}

/**
 * What a screen reader is told. Null for states that come and go with every word typed: they would never stop speaking.
 */
export function saveAnnouncement(save: SaveStatus): string | null {
  return save.state === 'typed' || save.state === 'received' ? null : saveText(save)
}
