// Who changed what of a document last. Knows paths, not what they mean.

import type * as Y from 'yjs'

export interface Authors {
  /** Attributes what `change` does to the document to a person, or to nobody: the server itself. */
  attribute(userId: string | null, change: () => void): void
  /** Person who last changed a path such as `comments/<id>/body`; null for the server, undefined when it is not known. */
  of(path: string): string | null | undefined
}

/** @param roots names of the document's top-level maps */
export function createAuthors(doc: Y.Doc, roots: readonly string[]): Authors {
  const authors = new Map<string, string | null>()
  let author: string | null = null
  for (const root of roots) {
    doc.getMap(root).observeDeep((events) => {
      for (const event of events) {
        const path = [root, ...event.path].join('/')
        // Not `changes`: that walks through the whole text.
        const keys = [...event.keys.keys()]
        // A text has no keys: it changes as a whole.
        if (keys.length === 0) authors.set(path, author)
        for (const key of keys) authors.set(`${path}/${key}`, author)
      }
    })
  }
  return {
    attribute: (userId, change) => {
      author = userId
      change()
      author = null
    },
    of: (path) => authors.get(path),
  }
}
