import { formatMention } from '@watchroom/shared/incidents'

/** A person that was named in a text that is still being written; there they stand as `@name`. */
export interface Mention {
  readonly name: string
  readonly userId: string
}

/** What is typed behind an `@` right before the caret; null when nobody is being named there. */
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

/** The comment as it is stored: each `@name` of a person that was chosen from the list becomes a mention. */
export function toStoredComment(text: string, mentions: readonly Mention[]): string {
  const userIds = new Map(mentions.map(({ name, userId }) => [`@${name}`, userId]))
  // The longest first: `@Ana Ash` must not be read as `@Ana` and a word.
  const names = [...userIds.keys()].toSorted((a, b) => b.length - a.length)
  if (names.length === 0) return text.trim()
  const pattern = new RegExp(names.map(escapePattern).join('|'), 'g')
  return text.replace(pattern, (named) => formatMention(named.slice(1), userIds.get(named) ?? '')).trim()
}

const escapePattern = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
