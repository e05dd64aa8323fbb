import type { EvidenceType } from '@watchroom/shared/incidents'
import { z } from 'zod'

import { UNIQUE_VIOLATION } from './databaseFaults.ts'
import type { IncidentDraft } from './incidentDraft.ts'
import { request, RequestError } from './request.ts'

/** Something found elsewhere that supports a hypothesis. One of the ids says what it is about. */
export interface EvidenceDraft {
  readonly type: EvidenceType
  readonly description: string
  readonly check_id?: string
  readonly config_id?: string
  readonly config_change_id?: string
  readonly config_analysis_id?: string
  readonly component_id?: string
  readonly evidence?: Readonly<Record<string, unknown>>
}

/** Bytes of lines that fit into a piece of evidence: the backend accepts 65,536 for all of it. */
const MAX_EVIDENCE_BYTES = 60_000

/** Why lines cannot be attached; undefined when they can. */
export function whyNotEvidence({ evidence }: EvidenceDraft): string | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(evidence)).length
  return bytes <= MAX_EVIDENCE_BYTES ? undefined : 'These lines are too long for one piece of evidence. Select fewer.'
}

// Only success matters; an empty answer is fine, too.
const answer = z.unknown()

/** @returns false when the row exists already: an earlier attempt got through and only its answer was lost */
async function insertOnce(path: string, row: Readonly<Record<string, unknown>>): Promise<boolean> {
  try {
    await request(path, { method: 'POST', body: row, schema: answer })
    return true
  } catch (error) {
    if (error instanceof RequestError && error.details.sourceCode === UNIQUE_VIOLATION) return false
    throw error
  }
}

interface EvidenceTarget {
  /** Made by the caller, and the same for every attempt. */
  readonly id: string
  readonly hypothesisId: string
  readonly userId: string
}

/** A check is shown with its messages. Changes, and insights without a known state, have an empty payload on every console. */
function payloadOf({ type, evidence, check_id: checkId }: EvidenceDraft): Pick<EvidenceDraft, 'evidence'> {
  if (evidence !== undefined) return { evidence }
  if (type === 'check') return { evidence: { check_id: checkId, includeMessages: true } }
  return type === 'config_change' || type === 'config_analysis' ? { evidence: {} } : {}
}

/** Attaches evidence to a hypothesis. */
export async function createEvidence(evidence: EvidenceDraft, target: EvidenceTarget): Promise<void> {
  const { id, hypothesisId, userId } = target
  const row = { ...evidence, ...payloadOf(evidence), hypothesis_id: hypothesisId, created_by: userId }
  await insertOnce('/api/db/evidences', { id, ...row })
}

interface HypothesisDraft {
  /** Made by the caller, and the same for every attempt. */
  readonly id: string
  readonly incidentId: string
  readonly title: string
  readonly userId: string
}

/** Creates a hypothesis at the top of an incident. */
export async function createHypothesis({ id, incidentId, title, userId }: HypothesisDraft): Promise<void> {
  const row = { id, incident_id: incidentId, type: 'root', status: 'possible', title, created_by: userId }
  const isNew = await insertOnce('/api/db/hypotheses', row)
  // The title may have changed since the attempt that created the row.
  if (!isNew) await request(`/api/db/hypotheses?id=eq.${id}`, { method: 'PATCH', body: { title }, schema: answer })
}

export interface IncidentCreation {
  /** @returns id of the incident */
  create: (draft: IncidentDraft, userId: string, evidence?: readonly EvidenceDraft[]) => Promise<string>
}

/**
 * Creates one incident: its row, its root hypothesis and its evidence.
 * The calls are not a transaction, so it remembers how far it got: another attempt continues there, with the texts as they
 * are by then, and a lost answer does not create a second incident. The evidence must be the same in every attempt.
 *
 * @param newId returns a UUID; ids are made here so that nothing depends on the shape of an answer
 */
export function startIncidentCreation(newId: () => string): IncidentCreation {
  const [incidentId, hypothesisId] = [newId(), newId()]
  const evidenceIds: string[] = []
  let isIncidentThere = false
  return {
    async create(draft, userId, evidence = []) {
      let isNew = false
      if (!isIncidentThere) {
        const people = { created_by: userId, commander_id: userId, communicator_id: userId }
        const times = { created_at: 'now()', updated_at: 'now()' }
        const row = { id: incidentId, ...draft, ...people, ...times }
        isNew = await insertOnce('/api/db/incidents?select=*', row)
        isIncidentThere = true
      }
      // The form may have changed since the attempt that created the row.
      if (!isNew) await updateIncident(incidentId, draft)
      const root = { type: 'root', status: 'possible', title: draft.title, created_by: userId }
      await insertOnce('/api/db/hypotheses', { id: hypothesisId, incident_id: incidentId, ...root })
      for (const [at, piece] of evidence.entries()) {
        const id = (evidenceIds[at] ??= newId())
        // One after the other, so that they keep the order in which they were given.
        await createEvidence(piece, { id, hypothesisId, userId })
      }
      return incidentId
    },
  }
}

async function updateIncident(id: string, draft: IncidentDraft): Promise<void> {
  await request(`/api/db/incidents?id=eq.${id}`, { method: 'PATCH', body: draft, schema: answer })
}
