// Every field of an incident that is edited together, once: what it is in the document and in its table, how long it may be, how
// long it rests before it is written, and what people call it. Seed, reading, projection, merge, validation, limits, authors of
// writes and the digest derive from here.

import * as Y from 'yjs'
import { z } from 'zod'

import {
  HypothesisStatusSchema,
  IncidentSeveritySchema,
  IncidentStatusSchema,
  IncidentTypeSchema,
} from '../../../incidents/index.ts'
import { ownValue } from '../../../kernel/index.ts'
import { DoneSchema, IdSchema, LIMITS } from './schema.ts'

/** Second specification, section 9: how long a status, a severity or type, and a text rest before they are written, in ms. */
export const REST_MS = { value: 200, priority: 500, text: 1_000 } as const

interface FieldBase {
  /** Of the entity's table. */
  readonly column: string
  readonly restMs: number
  /** What people call it; `{name}` stands for the entity. */
  readonly label: string
}

/** Both survive when two people write at once. */
export interface TextField extends FieldBase {
  readonly kind: 'text'
  /** In UTF-16 units. */
  readonly maxLength: number
  /** Someone must see something of it. */
  readonly isRequired: boolean
}

/** The last one to write wins. */
export interface ValueField<Schema extends z.ZodType = z.ZodType> extends FieldBase {
  readonly kind: 'value'
  readonly schema: Schema
  /** Takes the place of what does not parse, for people alone: its row keeps what was written (DOC-20). */
  readonly fallback: z.output<Schema>
}

export type Field = TextField | ValueField
export type FieldTable = Readonly<Record<string, Field>>

const text = <Column extends string>(
  column: Column,
  label: string,
  maxLength: number,
  isRequired = true,
): TextField & { readonly column: Column } => ({
  kind: 'text',
  column,
  label,
  maxLength,
  isRequired,
  restMs: REST_MS.text,
})

const value = <Column extends string, Schema extends z.ZodType>(
  column: Column,
  label: string,
  schema: Schema,
  fallback: z.output<Schema>,
  restMs: number = REST_MS.value,
): ValueField<Schema> & { readonly column: Column } => ({ kind: 'value', column, label, schema, fallback, restMs })

export const FIELDS = {
  incident: {
    title: text('title', 'Incident title', LIMITS.titleLength),
    description: text('description', 'Description', LIMITS.descriptionLength, false),
    status: value('status', 'Status', IncidentStatusSchema, 'open'),
    // Second specification, section 9: what has no severity is high.
    severity: value('severity', 'Severity', IncidentSeveritySchema, 'high', REST_MS.priority),
    type: value('type', 'Type', IncidentTypeSchema, 'availability', REST_MS.priority),
    commander_id: value('commander_id', 'Commander', IdSchema.nullable(), null),
  },
  hypotheses: {
    title: text('title', 'Hypothesis', LIMITS.titleLength),
    // Second specification, section 2: what has no status is likely.
    status: value('status', 'Status of “{name}”', HypothesisStatusSchema, 'likely'),
  },
  comments: {
    body: text('comment', 'Comment', LIMITS.commentLength),
  },
  /** Beside the evidence, which never changes, under keys of their own. */
  dod: {
    member: value('definition_of_done', '“{name}”', z.boolean(), false),
    script: value('script', 'Script of “{name}”', z.string().max(LIMITS.scriptLength).nullable(), null),
    /** Words of a condition in their newest form; null: as they were entered (DOC-15). */
    text: value('description', 'Condition', z.string().min(1).max(LIMITS.commentLength).nullable(), null, REST_MS.text),
    done: value('done', '“{name}”', DoneSchema.nullable(), null),
  },
} as const satisfies Readonly<Record<string, FieldTable>>

/** Tables that hold these fields, by the part of the document. */
const TABLE_OF = {
  incident: 'incidents',
  hypotheses: 'hypotheses',
  comments: 'comments',
  dod: 'evidences',
} as const satisfies Record<keyof typeof FIELDS, string>

/** Columns of the table that hold the fields of a part. */
export type ColumnOf<Part extends keyof typeof FIELDS> = {
  [Key in keyof (typeof FIELDS)[Part]]: (typeof FIELDS)[Part][Key] extends { readonly column: infer Column }
    ? Column
    : never
}[keyof (typeof FIELDS)[Part]]

/** What an entity shows of its fields. */
export type ShownFields<Table extends FieldTable> = {
  -readonly [Key in keyof Table]: Table[Key] extends ValueField<infer Schema> ? z.output<Schema> : string
}

/** By table: made once, because making a schema costs far more than using it. */
const tolerant = new WeakMap<Field, z.ZodType>()

/** A value for people: what does not parse is the field's fallback. */
export function readValue<Schema extends z.ZodType>(field: ValueField<Schema>, written: unknown): z.output<Schema> {
  let schema = tolerant.get(field)
  if (!schema) {
    schema = field.schema.catch(field.fallback as never)
    tolerant.set(field, schema)
  }
  return schema.parse(written ?? null) as z.output<Schema>
}

/** Reads tolerantly: a value that does not parse counts as the field's fallback, a missing text as empty. */
export function readFieldsOf<Table extends FieldTable>(fields: Table, map: Y.Map<unknown>): ShownFields<Table> {
  const shown = Object.entries(fields).map(([key, field]) => {
    const written = map.get(key)
    if (field.kind === 'value') return [key, readValue(field, written)]
    return [key, written instanceof Y.Text ? written.toJSON() : '']
  })
  // Made key by key from the same table.
  return Object.fromEntries(shown) as ShownFields<Table>
}

/** Writes the fields of a row into a new entry. */
export function writeFields(fields: FieldTable, map: Y.Map<unknown>, row: object): void {
  const columns = row as Readonly<Record<string, unknown>>
  for (const [key, { kind, column }] of Object.entries(fields)) {
    map.set(key, kind === 'text' ? new Y.Text(String(columns[column])) : columns[column])
  }
}

/** A value that is not known here stays in its row as it was written; what is shown for it is for people alone (DOC-20). */
export function asWritten<Shown>(field: ValueField, written: unknown, shown: Shown): Shown | string {
  return typeof written === 'string' && !field.schema.safeParse(written).success ? written : shown
}

/** The values of an entry as its row must hold them, by key. */
export function toWrittenFields(
  fields: FieldTable,
  map: Y.Map<unknown> | null,
  shown: object,
): Record<string, unknown> {
  const values = shown as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [
      field.column,
      field.kind === 'text' ? values[key] : asWritten(field, map?.get(key), values[key]),
    ]),
  )
}

/** @param root part of the document; @param key of the field in it */
export function fieldOf(root: string, key: string): Field | undefined {
  return ownValue<Field>(ownValue<FieldTable>(FIELDS, root), key)
}

/** The field behind a path of the document, for example `hypotheses/{id}/title` or `dod/{evidence}:script`. */
export function fieldAt(path: string): Field | undefined {
  const [root = '', first = '', second = ''] = path.split('/')
  return fieldOf(root, root === 'incident' ? first : root === 'dod' ? (first.split(':')[1] ?? '') : second)
}

/** The field that a column of a table holds, and its key in the document. */
export function fieldOfColumn(
  table: string,
  column: string,
): { readonly key: string; readonly field: Field } | undefined {
  for (const [root, fields] of Object.entries<FieldTable>(FIELDS)) {
    if (TABLE_OF[root as keyof typeof TABLE_OF] !== table) continue
    for (const [key, field] of Object.entries(fields)) if (field.column === column) return { key, field }
  }
  return undefined
}
