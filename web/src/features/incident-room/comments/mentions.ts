import { formatMention } from '@watchroom/shared/incidents'

import { type Person, personName } from '../../../api/people.ts'

/** A person mentioned in a text that is still being written, where they appear as `@name`. */
export interface Mention {
  readonly name: string
  readonly userId: string
}

/** What is typed after an `@` right before the caret; null when no mention is being typed. */
export function mentionAt(text: string, caret: number): { query: string; from: number } | null {
  const match = /(?:^|[\s(])@([^\s@][^@\n]{0,40}|)$/.exec(text.slice(0, caret))
  if (!match) return null
  const query = match[1] ?? ''
  return { query, from: caret - query.length - 1 }
}

export function insertMention(
  text: string,
  at: { from: number; caret: number },
  name: string,
): { text: string; caret: number } {
  const named = `@${name} `
  const rest = text.slice(at.caret).replace(/^ /, '')
  return { text: text.slice(0, at.from) + named + rest, caret: at.from + named.length }
}

/** The comment as it is stored: each `@name` of a person chosen from the list becomes a mention. */
export function toStoredComment(text: string, mentions: readonly Mention[]): string {
  const userIds = new Map(mentions.map(({ name, userId }) => [`@${name}`, userId]))
  // The longest first: `@Ana Ash` must not be read as `@Ana` and a word.
  const names = [...userIds.keys()].toSorted((a, b) => b.length - a.length)
  if (names.length === 0) return text.trim()
  const pattern = new RegExp(names.map(escapePattern).join('|'), 'g')
  return text.replace(pattern, (named) => formatMention(named.slice(1), userIds.get(named) ?? '')).trim()
}

const escapePattern = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)

/** The name of a person in the text; people with the same name are distinguished by their addresses. */
export function mentionName(person: Person, people: readonly Person[]): string {
  const isShared = people.some((other) => other.id !== person.id && personName(other) === personName(person))
  return isShared && person.email ? withAddress(person) : personName(person)
}

const withAddress = (person: Person): string => `${personName(person)} (${person.email})`

/**
 * What a mention is read as. It may have been typed by hand, with anyone's name before the id: whoever is known is called as
 * they are, and in the words of the comment only where those are theirs or nobody is known under the id.
 */
export function shownMention(
  mention: { readonly name: string; readonly userId: string },
  people: readonly Person[] | undefined,
): string {
  const person = people?.find(({ id }) => id === mention.userId)
  if (person === undefined || mention.name === withAddress(person)) return mention.name
  return personName(person)
}
