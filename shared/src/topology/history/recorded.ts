// What is kept of a component, so that the estate can be shown as it was. How it is changes often, what it is seldom: both are kept
// apart. Values of properties and the counts of checks, incidents and insights are not kept.
import { z } from 'zod'

import { isUuid } from '../../kernel/index.ts'
import type { Component } from '../component.ts'
import { COMPONENT_HEALTHS, toComponentHealth } from '../componentHealth.ts'

/** A reason is a sentence; what prints a whole log is cut. */
const MAX_REASON = 500
const MAX_TEXT_CHARACTERS = 1_000

export const RecordedStateSchema = z.object({
  health: z.enum(COMPONENT_HEALTHS),
  status: z.string(),
  reason: z.string().nullable(),
})
export type RecordedState = z.infer<typeof RecordedStateSchema>

const text = z.string().nullable().catch(null)

export const RecordedStructureSchema = z.object({
  name: z.string(),
  text,
  type: text,
  icon: text,
  namespace: text,
  owner: text,
  lifecycle: text,
  description: text,
  labels: z.record(z.string(), z.string()).catch({}),
  hidden: z.boolean(),
  parent_id: text,
  /** Components whose selectors took it in beside its parent, in order. */
  linked_to: z.array(z.string()),
  path: text,
  topology_id: text,
  agent_id: text,
  config_id: text,
  created_at: text,
})
export type RecordedStructure = z.infer<typeof RecordedStructureSchema>

/** The estate at one instant, by id. */
export type RecordedEstate = ReadonlyMap<
  string,
  { readonly structure: RecordedStructure; readonly state: RecordedState }
>

const cut = (word: string | null | undefined, max = MAX_TEXT_CHARACTERS): string | null => word?.slice(0, max) || null

/** What is kept of an answer that lists every component. One whose id no table takes is left out. */
export function toRecordedEstate(components: readonly Component[]): RecordedEstate {
  return new Map(
    components
      .filter(({ id }) => isUuid(id))
      .map((component) => {
        const { hidden, labels, parents, parent_id: parentId } = component
        const structure: RecordedStructure = {
          name: cut(component.name) ?? '',
          text: cut(component.text),
          type: cut(component.type),
          icon: cut(component.icon),
          namespace: cut(component.namespace),
          owner: cut(component.owner),
          lifecycle: cut(component.lifecycle),
          description: cut(component.description),
          // In one order, so that equal labels are equal texts.
          labels: Object.fromEntries(Object.entries(labels ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))),
          hidden: hidden === true,
          parent_id: cut(parentId),
          linked_to: (parents ?? []).filter((id) => id !== parentId).toSorted(),
          path: cut(component.path, 10 * MAX_TEXT_CHARACTERS),
          topology_id: cut(component.topology_id),
          agent_id: cut(component.agent_id),
          config_id: cut(component.config_id),
          created_at: cut(component.created_at),
        }
        const state: RecordedState = {
          health: toComponentHealth(component.health),
          status: cut(component.status) ?? '',
          reason: cut(component.status_reason, MAX_REASON),
        }
        return [component.id, { structure, state }]
      }),
  )
}

/** What became different between two instants: null stands for a component that is gone. */
export interface EstateChanges {
  readonly states: ReadonlyMap<string, RecordedState>
  readonly structures: ReadonlyMap<string, RecordedStructure | null>
}

const isSameState = (a: RecordedState, b: RecordedState): boolean =>
  a.health === b.health && a.status === b.status && a.reason === b.reason

const isSameStructure = (a: RecordedStructure, b: RecordedStructure): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b)

/** What one look finds that the one before did not; null stands for what is gone. */
export function toEstateChanges(before: RecordedEstate, after: RecordedEstate): EstateChanges {
  const states = new Map<string, RecordedState>()
  const structures = new Map<string, RecordedStructure | null>()
  for (const [id, recorded] of after) {
    const known = before.get(id)
    if (known === recorded) continue
    const { state, structure } = recorded
    if (known === undefined || !isSameState(known.state, state)) states.set(id, state)
    if (known === undefined || !isSameStructure(known.structure, structure)) structures.set(id, structure)
  }
  for (const id of before.keys()) if (!after.has(id)) structures.set(id, null)
  return { states, structures }
}
