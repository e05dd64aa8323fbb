// What the sockets, the room, its log and the write-back must know of one kind of shared document. Each kind is one folder below
// `documents`; none of them is named here.

import type { Resource } from '@watchroom/shared/access'
import type { Author, ChangeWatch, DocumentLayout, Named, World } from '@watchroom/shared/collab'
import type * as Y from 'yjs'

import type { BackendClient } from '../platform/httpClient.ts'
import type { Authors } from './room/createAuthors.ts'
import type { RowMemory } from './write-back/createRowMemory.ts'

/** A row of a table with all its columns. Never changed: what differs is another object. */
export interface EntityRow {
  readonly id: string
}

/** Rows that a document stands for, by entity. Every entity is there, also one without rows. */
export type DocumentRows = Readonly<Record<string, readonly EntityRow[]>>

/** One table that a document has rows in. */
export interface EntityRules {
  /** Of the table, too. */
  readonly name: string
  /** A column of its own that whoever may edit it may change: by it the backend is asked whether someone may (COLLAB-42). */
  readonly editable: string
  /**
   * Columns that hold the id of a row which must be there before, and may only go afterwards, with the entity of that row. Of an
   * entity that needs itself, rows come and go one by one.
   */
  readonly needs: Readonly<Record<string, string>>
}

/** One row to be made equal. `key` is the same for the same write, so that a backend may recognize a repetition. */
export type RowWrite =
  | {
      readonly kind: 'insert'
      readonly entity: string
      readonly id: string
      readonly row: Readonly<Record<string, unknown>>
      readonly key: string
    }
  | {
      readonly kind: 'update'
      readonly entity: string
      readonly id: string
      readonly row: Readonly<Record<string, unknown>>
      readonly key: string
    }
  | { readonly kind: 'delete'; readonly entity: string; readonly id: string; readonly key: string }

export type WriteOutcome =
  | { readonly kind: 'written' }
  /** An update met no row: someone removed it. */
  | { readonly kind: 'missing' }
  /** The backend will not take it as it is: why, in words for the person who wants to know, and as it said it, for the log. */
  | { readonly kind: 'refused'; readonly message: string; readonly detail?: string }
  /** Worth trying again; everything behind it waits. */
  | { readonly kind: 'later'; readonly message: string; readonly retryAfterMs?: number }

/** Where the rows of documents of one kind are. */
export interface DocumentTables {
  /**
   * Null when there is nothing that the document could be about.
   *
   * @param memory of earlier readings: a row that came as it came then is the same object again
   * @throws BackendFailure, Error when the answer is not understood
   */
  read(id: string, memory?: RowMemory): Promise<DocumentRows | null>
  /** @param actor person who made the change, for the backend's histories; null when nobody in particular did */
  write(id: string, write: RowWrite, actor: string | null): Promise<WriteOutcome>
}

/** Follows one document and reads only what changes of it. */
export interface DocumentReader<View = unknown> {
  /** The document as plain values. */
  view(): View
  /** What its tables must hold once everything is written back. What did not change is the same object as before. */
  rows(): DocumentRows
  /** Whether an agreed row that is not among `rows` must be left alone: the document cannot tell of it (DOC-20). */
  isKept(entity: string, agreed: EntityRow): boolean
  close(): void
}

/** A document that is open in this gateway, for capabilities that act on it without knowing documents. */
export interface DocumentHandle<View = unknown> {
  readonly id: string
  /** As plain values; costs what changed since the last call. */
  view(): View
  /** Calls back after every durable change. @returns function that stops it */
  onChange(listener: () => void): () => void
  /** Changes it in nobody's name. Resolves when that is durable. */
  write(change: (doc: Y.Doc) => void): Promise<void>
}

/** @template View a document of this kind as plain values */
export interface DocumentKind<View = unknown> {
  /** First part of the names of its documents, `<name>/<id>`. */
  readonly name: string
  /** What people call one. */
  readonly words: string
  /** Whose rights count for it. */
  readonly resource: Resource
  /** The row below `/db` that must be shown to whoever opens it. */
  source(id: string): string
  readonly layout: DocumentLayout
  /** Top-level maps of a document. `meta` is one of them; it holds `schema` and `epoch`. */
  readonly roots: readonly string[]
  /** In the order in which rows are inserted. The first holds the one row that the document is about, which is never deleted. */
  readonly entities: readonly [EntityRules, ...EntityRules[]]
  /** Tables of the backend that a document may name rows of, by the kind of `Named`. */
  readonly references: Readonly<Record<string, { readonly table: string }>>
  /** How long changes rest before they are written, in ms. A new or removed row rests as briefly as possible. */
  readonly rest: {
    readonly shortestMs: number
    readonly longestMs: number
    ofColumn(entity: string, column: string): number
  }
  /** First content: the same for the same rows and epoch (DOC-6). */
  seed(rows: DocumentRows, epoch: string): Uint8Array
  /** The same content without its history, as first content of another epoch (DOC-19). */
  compact(doc: Y.Doc, epoch: string): Uint8Array
  read(doc: Y.Doc): DocumentReader<View>
  /** Brings what others wrote into the document (COLLAB-14). @param context.now RFC 3339 */
  merge(doc: Y.Doc, agreed: DocumentRows, actual: DocumentRows, context: { now: string }): void
  /** Judges what is done to the document until the watch is finished (DOC-7). */
  watchChange(doc: Y.Doc, author: Author, world: World): ChangeWatch
  /** What an update may name elsewhere, read before it is applied. */
  namedBy(structs: ReturnType<typeof Y.decodeUpdate>['structs']): readonly Named[]
  /** Notes when the server took entries (DOC-24). @param paths as `ChangeWatch.added` gives them @param at RFC 3339 */
  stamp(doc: Y.Doc, paths: readonly string[], at: string): void
  /** The person whose change a write carries, for the backend's histories. */
  authorOf(authors: Pick<Authors, 'of'>, write: RowWrite): string | null
  createTables(backend: BackendClient): DocumentTables
  /** Called when a document is opened; what it returns is called when the document closes. */
  onOpen?(document: DocumentHandle<View>): () => void
}
