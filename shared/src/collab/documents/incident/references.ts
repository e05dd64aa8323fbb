import * as Y from 'yjs'
import { z } from 'zod'

import type { Named } from '../../judgement.ts'
import type { EvidenceEntry } from './schema.ts'

const IdSchema = z.guid()

/** What an incident document may name elsewhere, by the field that names it. */
export const REFERENCES = {
  commander_id: { table: 'people', words: 'person' },
  check_id: { table: 'checks', words: 'check' },
  component_id: { table: 'components', words: 'component' },
  config_id: { table: 'config_items', words: 'config item' },
  config_change_id: { table: 'config_changes', words: 'config change' },
  config_analysis_id: { table: 'config_analysis', words: 'config insight' },
} as const satisfies Partial<Record<keyof EvidenceEntry | 'commander_id', { table: string; words: string }>>
type ReferenceKind = keyof typeof REFERENCES

export type NamedByIncident = Named<ReferenceKind>

const OF_EVIDENCE = ['check_id', 'component_id', 'config_id', 'config_change_id', 'config_analysis_id'] as const

/** What an entry of evidence names. */
export function namedByEvidence(entry: Partial<Record<(typeof OF_EVIDENCE)[number], unknown>>): NamedByIncident[] {
  return OF_EVIDENCE.flatMap((kind) => toNamed(kind, entry[kind]))
}

/**
 * What an update may name, read from its bytes before it is applied. May find too much: where a value belongs often shows
 * only in the document.
 */
export function namedByUpdate(structs: ReturnType<typeof Y.decodeUpdate>['structs']): NamedByIncident[] {
  return structs.flatMap((struct) => {
    if (!(struct instanceof Y.Item)) return []
    const { content } = struct
    if (!(content instanceof Y.ContentAny) && !(content instanceof Y.ContentJSON)) return []
    return (content.arr as unknown[]).flatMap((value) => {
      if (typeof value === 'string') return toNamed('commander_id', value)
      return typeof value === 'object' && value !== null ? namedByEvidence(value) : []
    })
  })
}

/** @returns nothing when the value is not an id */
export function toNamed(kind: ReferenceKind, id: unknown): NamedByIncident[] {
  const parsed = IdSchema.safeParse(id)
  return parsed.success ? [{ kind, id: parsed.data.toLowerCase() }] : []
}
