/**
 * Names and values of a query in their order, decoded as a server decodes them.
 *
 * @param query with or without `?`; what is not validly encoded stays as it is
 */
export function parseQuery(query: string): (readonly [name: string, value: string])[] {
  return query
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const end = pair.indexOf('=')
      return end === -1 ? [decode(pair), ''] : [decode(pair.slice(0, end)), decode(pair.slice(end + 1))]
    })
}

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    // Half an escape: PostgREST reads it as it stands, too.
    return spaced
  }
}
