import type { DodVerdict } from '@watchroom/shared/incidents'

import type { Feed } from '../polling/contract.ts'

/** An item of an incident's definition of done that a script decides. */
export interface DodItem {
  /** Of the evidence. */
  readonly id: string
  readonly script: string
  readonly done: boolean | null
  readonly checkId: string | null
  readonly componentId: string | null
  readonly configId: string | null
  readonly analysisId: string | null
}

/** An incident to be decided: one whose document is open in this gateway, or one that nobody looks at. */
export interface WatchedIncident {
  readonly id: string
  /** States of components, config items and insights are read this often; 5 s unless it says otherwise. */
  readonly rowsMs?: number
  /** What is to be decided now; nothing once the incident is closed. */
  readonly items: () => readonly DodItem[]
  /** Calls back after every change of the document. @returns function that stops it */
  readonly onChange: (listener: () => void) => () => void
  /** Writes a verdict into the document, in nobody's name. */
  readonly setDone: (evidenceId: string, done: boolean) => Promise<void>
}

export interface DefinitionOfDone {
  /** Starts deciding. @returns function that stops it */
  readonly watch: (incident: WatchedIncident) => () => void
  /** Rows of the topic. */
  readonly feed: (incidentId: string) => Feed<DodVerdict>
  readonly close: () => void
}
