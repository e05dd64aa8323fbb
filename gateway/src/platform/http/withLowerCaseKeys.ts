/** The API that we speak reads the keys of a body in any case. */
export function withLowerCaseKeys(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value]))
}
