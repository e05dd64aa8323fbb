/** A run of plain text, or a person named with `@[display](user:id)` (second specification, section 2). */
export type CommentPart = { kind: 'text'; text: string } | { kind: 'mention'; name: string; userId: string }

const MENTION = /@\[([^\]]+)\]\(user:([0-9a-fA-F-]{36})\)/g

/** Splits a comment at its mentions. Joining the parts with `formatMention` gives the same comment again. */
export function parseComment(comment: string): CommentPart[] {
  const parts: CommentPart[] = []
  let from = 0
  for (const match of comment.matchAll(MENTION)) {
    if (match.index > from) parts.push({ kind: 'text', text: comment.slice(from, match.index) })
    parts.push({ kind: 'mention', name: match[1] ?? '', userId: match[2] ?? '' })
    from = match.index + match[0].length
  }
  if (from < comment.length) parts.push({ kind: 'text', text: comment.slice(from) })
  return parts
}

/** Mention as it is stored. A `]` would end the name early, so it is left out. */
export function formatMention(name: string, userId: string): string {
  return `@[${name.replaceAll(']', '')}](user:${userId})`
}
