import {
  createIncidentEditor,
  createUndoStack,
  type IncidentEditor,
  type IncidentRows,
  seedIncident,
  type UndoStack,
} from '@watchroom/shared/collab'
import * as Y from 'yjs'

const START = Date.parse('2026-03-01T08:00:00.000Z')

/** A readable uuid: `testId('a', 7)` is the seventh of kind a. */
export function testId(kind: string, index: number): string {
  const kindCode = kind.charCodeAt(0).toString(16).padStart(4, '0')
  return `00000000-${kindCode}-4000-8000-${index.toString(16).padStart(12, '0')}`
}

export const ANA = testId('u', 1)
export const BO = testId('u', 2)
export const INCIDENT = testId('i', 1)

/** One incident with a root and two factors, one comment and one piece of evidence. */
export function buildIncidentRows(overrides: Partial<IncidentRows> = {}): IncidentRows {
  const by = { created_by: ANA, created_at: '2026-03-01T07:00:00+00:00' }
  const none = { config_id: null, config_change_id: null, config_analysis_id: null, component_id: null }
  return {
    incident: {
      id: INCIDENT,
      title: 'Labels are late',
      description: '',
      status: 'open',
      severity: 'high',
      type: 'availability',
      commander_id: null,
    },
    hypotheses: [
      { ...by, id: testId('h', 1), parent_id: null, type: 'root', title: 'Printing stalls', status: 'possible' },
      {
        ...by,
        id: testId('h', 2),
        parent_id: testId('h', 1),
        type: 'factor',
        title: 'Queue is full',
        status: 'likely',
      },
      {
        ...by,
        id: testId('h', 3),
        parent_id: testId('h', 1),
        type: 'factor',
        title: 'Printer is offline',
        status: 'unlikely',
      },
    ],
    evidences: [
      {
        ...by,
        ...none,
        id: testId('e', 1),
        hypothesis_id: testId('h', 2),
        type: 'check',
        description: 'queue depth',
        check_id: testId('c', 1),
        evidence: { includeMessages: true },
        properties: null,
        definition_of_done: true,
        done: false,
        script: "check.status == 'healthy'",
      },
    ],
    comments: [
      {
        ...by,
        id: testId('m', 1),
        hypothesis_id: testId('h', 2),
        comment: 'Looking',
        external_created_by: null,
        responder_id: null,
      },
    ],
    ...overrides,
  }
}

export interface TestPeer {
  doc: Y.Doc
  edit: IncidentEditor
  undo: UndoStack
}

/** A peer with its own copy of the seeded document. Ids and times are counted, so a run repeats exactly. */
export function buildPeer(
  userId: string,
  options: { rows?: IncidentRows; clientId: number; random?: () => number },
): TestPeer {
  const doc = new Y.Doc()
  doc.clientID = options.clientId
  Y.applyUpdate(doc, seedIncident(options.rows ?? buildIncidentRows(), 'epoch-1'))
  let count = 0
  const undo = createUndoStack(doc)
  const edit = createIncidentEditor(doc, {
    userId,
    now: () => new Date(START + 1000 * count).toISOString(),
    newId: () => testId('x', options.clientId * 100_000 + ++count),
    random: options.random ?? (() => 0.5),
    onCommand: undo.record,
  })
  return { doc, edit, undo }
}

/** Exchanges everything between two documents. */
export function syncDocuments(a: Y.Doc, b: Y.Doc): void {
  Y.applyUpdate(a, Y.encodeStateAsUpdate(b, Y.encodeStateVector(a)))
  Y.applyUpdate(b, Y.encodeStateAsUpdate(a, Y.encodeStateVector(b)))
}
