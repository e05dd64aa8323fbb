// The YAML text is the one copy of what is being edited. The form edits the parsed document in place and writes it back, so
// that comments, order and keys that the form does not know stay.
import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'

import { type SpecPath, WRITE_OPTIONS } from './readSpecText.ts'

/** The text with one value set, or removed when it is undefined. Everything else stays as it was written. */
export function editSpecText(text: string, path: SpecPath, value: unknown): string {
  const document = parseDocument(text)
  if (document.errors.length > 0) return text
  if (value === undefined) {
    if (!document.hasIn(path)) return text
    document.deleteIn(path)
  } else {
    openEmptyParents(document, path)
    document.setIn(path, rewrite(document, document.getIn(path, true), value))
  }
  return document.toString({ ...WRITE_OPTIONS, indentSeq: !/^\S[^\n]*:[^\S\n]*\n-\s/m.test(text) })
}

/** A node that says `value`, made of the old one as far as that goes: comments and the way it is written stay. */
function rewrite(document: Document, old: unknown, value: unknown): unknown {
  if (isMap(old) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return rewriteMap(document, old, value)
  }
  if (isSeq(old) && Array.isArray(value)) return rewriteList(document, old, value)
  const isSingle = typeof value !== 'object' || value === null
  if (isScalar(old) && isSingle) {
    // Only the empty text needed the quotes.
    if (old.value === '') delete old.type
    old.value = value
    return old
  }
  const node = document.createNode(value)
  if (isNode(old) && old.comment) node.comment = old.comment
  return node
}

function rewriteMap(document: Document, old: YAMLMap, value: object): YAMLMap {
  const given = new Map<unknown, unknown>(Object.entries(value))
  old.items = old.items.filter(({ key }) => given.has(isScalar(key) ? String(key.value) : key))
  for (const [key, field] of given) old.set(key, rewrite(document, old.get(key, true), field))
  return old
}

/** Items that stay keep their nodes, wherever they go; another takes the node at its place if nobody else has it. */
function rewriteList(document: Document, old: YAMLSeq, values: readonly unknown[]): YAMLSeq {
  const left: unknown[] = [...old.items]
  const take = (index: number): unknown => {
    const [node] = left.splice(index, 1, undefined)
    return node
  }
  const written = left.map((node) => JSON.stringify(isNode(node) ? node.toJS(document) : node))
  const kept = values.map((value) => {
    const index = written.findIndex((text, at) => left[at] !== undefined && text === JSON.stringify(value))
    return index < 0 ? undefined : take(index)
  })
  old.items = values.map((value, index) => kept[index] ?? rewrite(document, take(index), value))
  return old
}

/** An empty map can only be written as `{}`; what is put into it is to stand on lines of its own. */
function openEmptyParents(document: Document, path: SpecPath): void {
  for (let length = 0; length < path.length; length += 1) {
    const parent: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (isCollection(parent) && parent.items.length === 0) parent.flow = false
  }
}

/** The text with one more element in the list of a kind: a check, a source. */
export function addElementText(text: string, kind: string, element: Readonly<Record<string, unknown>>): string {
  const elements: unknown = parseDocument(text).get(kind, true)
  const count = isSeq(elements) ? elements.items.length : 0
  return count === 0 ? editSpecText(text, [kind], [element]) : editSpecText(text, [kind, count], element)
}

/** The text without one element; its kind goes with the last one. */
export function removeElementText(text: string, kind: string, index: number): string {
  const elements: unknown = parseDocument(text).get(kind, true)
  return editSpecText(text, isSeq(elements) && elements.items.length === 1 ? [kind] : [kind, index], undefined)
}
