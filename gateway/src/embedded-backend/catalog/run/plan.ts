// Compares what a run found with what is stored: what is new, different, unchanged, gone. Pure, and told item by item, so that a
// run keeps only the documents that have to be written.
import { createHash, randomUUID } from 'node:crypto'

import type { ItemReference, ItemRelationship, ScrapedItem, SourceWarning } from '../item.ts'
import type { StoredItem } from './stored.ts'

/** An item of this run. */
export interface PlannedItem {
  readonly id: string
  readonly key: string
  readonly type: string
  readonly name: string
  readonly aliases: readonly string[]
  readonly hash: string
  readonly stored: StoredItem | null
  /** All of it, where it is to be written; its content is what is stored otherwise. */
  readonly written: ScrapedItem | null
  readonly changes: ScrapedItem['changes']
  readonly parent: ItemReference | null
  readonly relationships: readonly ItemRelationship[]
  readonly place: ScrapedItem['place']
}

export interface Plan {
  readonly items: ReadonlyMap<string, PlannedItem>
  /** @returns why it cannot be taken */
  add(item: ScrapedItem): SourceWarning | null
  /** Stored and live, and not found by this run. */
  unseen(): StoredItem[]
  /** Characters of documents that wait to be written. */
  size(): number
}

/** Type and id as one key. A line feed separates them, because neither sensibly contains one. */
const toKey = (type: string, id: string): string => `${type}\n${id}`

export function createPlan(stored: readonly StoredItem[]): Plan {
  const known = new Map(stored.map((item) => [toKey(item.type, item.key), item]))
  const items = new Map<string, PlannedItem>()
  let size = 0
  return {
    items,
    add: (item) => {
      const key = toKey(item.type, item.id)
      const first = items.get(key)
      if (first) {
        const message = `the id ${item.id} of the type ${item.type} was used before, in ${first.place.source}`
        return { ...item.place, message, hidesItems: false }
      }
      const planned = toPlanned(key, item, known.get(key) ?? null)
      if (planned.written) size += JSON.stringify(planned.written.config).length
      items.set(key, planned)
      return null
    },
    unseen: () => stored.filter((item) => !item.isDeleted && !items.has(toKey(item.type, item.key))),
    size: () => size,
  }
}

function toPlanned(key: string, item: ScrapedItem, stored: StoredItem | null): PlannedItem {
  const hash = hashOf(item)
  const isUnchanged = stored?.hash === hash && (stored.isTooOld || stored.isDeleted === (item.deletedAt !== undefined))
  return {
    id: stored?.id ?? randomUUID(),
    key,
    type: item.type,
    name: item.name,
    aliases: [item.id, ...item.aliases],
    hash,
    stored,
    written: isUnchanged ? null : item,
    changes: item.changes,
    parent: item.parent,
    relationships: item.relationships,
    place: item.place,
  }
}

/** Of what is stored in the row of the item and of its insights. What relates it is compared by itself, and so is what happened. */
function hashOf({
  place,
  authorship: _author,
  changes: _changes,
  parent: _parent,
  relationships: _r,
  ...rest
}: ScrapedItem): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys({ ...rest, source: place.source })))
    .digest('hex')
}

/** The same for documents that differ in the order of their members alone: the order in which the database gives them back. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, part]) => ({ name, bytes: Buffer.byteLength(name), part: sortKeys(part) }))
      .toSorted((a, b) => a.bytes - b.bytes || (a.name < b.name ? -1 : 1))
      .map(({ name, part }): [string, unknown] => [name, part]),
  )
}
