/** The query part of the URL, flat and readable: `?status=open&labels=a&labels=b`. */
export type FlatSearch = Record<string, string | string[] | undefined>

export function parseSearch(text: string): FlatSearch {
  const search: FlatSearch = {}
  for (const [key, value] of new URLSearchParams(text)) {
    // A key such as __proto__ in a link must stay data.
    if (!Object.hasOwn(search, key)) {
      Object.defineProperty(search, key, { value, enumerable: true, writable: true, configurable: true })
      continue
    }
    const earlier = search[key]
    search[key] = Array.isArray(earlier) ? [...earlier, value] : [earlier ?? '', value]
  }
  return search
}

/** Keys in alphabetical order, so that equal states give equal links. Absent and empty values do not appear. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const params = new URLSearchParams()
  for (const key of Object.keys(search).toSorted()) {
    const value = search[key]
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item === undefined || item === null || item === '') continue
      params.append(key, String(item))
    }
  }
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
