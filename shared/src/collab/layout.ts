// The version that the layout of a document has, and how an older one becomes the newest. The same for every kind of document:
// each keeps it in its map `meta`.

import type * as Y from 'yjs'

/**
 * Brings a document from the version before `to` to `to`. Deterministic, and only by what the document says: neither time nor
 * chance. Released entries never change.
 */
export interface DocumentMigration {
  readonly to: number
  readonly run: (doc: Y.Doc) => void
}

/** The newest version, and how older ones become it: in order, without gaps. */
export interface DocumentLayout {
  readonly version: number
  readonly migrations: readonly DocumentMigration[]
}

/** Layout of a document; 0 while there is nothing in it. */
export function schemaOf(doc: Y.Doc): number {
  const schema = doc.getMap('meta').get('schema')
  return typeof schema === 'number' ? schema : 0
}

/**
 * Runs what a document still lacks, and notes its new version, in the caller's transaction. For the server alone (DOC-18): two
 * clients would both do it, and both results would stay.
 */
export function migrateDocument(doc: Y.Doc, layout: DocumentLayout): void {
  for (const { to, run } of layout.migrations) {
    if (to <= schemaOf(doc)) continue
    if (to !== schemaOf(doc) + 1) break
    run(doc)
    doc.getMap('meta').set('schema', to)
  }
  if (schemaOf(doc) < layout.version) throw new Error(`no way from layout ${schemaOf(doc)} to ${layout.version}`)
}
