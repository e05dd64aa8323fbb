const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** What a shared document is about, from its path below /collab/. Null for anything that is not one. */
export function parseDocumentName(name: string): { kind: string; id: string } | null {
  const [kind = '', id = '', ...rest] = name.split('/')
  return kind !== '' && rest.length === 0 && UUID.test(id) ? { kind, id } : null
}

/** The counterpart of `parseDocumentName`. Does not check its parts. */
export function toDocumentName(kind: string, id: string): string {
  return `${kind}/${id}`
}
