// What a database error may reveal: which rule was broken, by which columns, but never with which values. Pure: works on texts of
// PostgreSQL and bodies of PostgREST.

/** A body of PostgREST, as its clients know it. */
interface ErrorBody {
  readonly code?: unknown
  readonly details?: unknown
  readonly hint?: unknown
  readonly message?: unknown
}

const HIDDEN = '…'
const UNREADABLE = JSON.stringify({
  code: null,
  details: null,
  hint: null,
  message: 'The database refused this without saying why.',
})

/**
 * The body of an error without values of rows. What a caller reads of it beyond names of columns and rules is its own words:
 * PostgREST quotes a query that it cannot read, PostgreSQL a value that it cannot read, and of the second nobody can tell
 * whether it came from the query or from a row (`?select=email::int`).
 */
export function redactDatabaseError(text: string): string {
  if (text === '') return text
  const body = parse(text)
  if (!body) return UNREADABLE
  const code = typeof body.code === 'string' ? body.code : ''
  const isOwn = code.startsWith('PGRST')
  // Its first group tells about the connection to the database: address, role, socket.
  const isConnection = code.startsWith('PGRST0')
  return JSON.stringify({
    ...body,
    message: isOwn ? body.message : redactMessage(code, body.message),
    details: isConnection ? null : isOwn ? body.details : redactDetail(body.details),
    hint: (isOwn && !isConnection) || code.startsWith('42') ? body.hint : null,
  })
}

/** PostgreSQL's codes; other producers use words. */
const SQLSTATE = /^[0-9A-Z]{5}$/

/** The same for a body of which nobody knows who made it: only what is PostgREST's word on PostgreSQL's error changes. */
export function hideValues(text: string): string {
  const body = parse(text)
  const isDatabases = typeof body?.code === 'string' && SQLSTATE.test(body.code) && body.message !== undefined
  return isDatabases ? redactDatabaseError(text) : text
}

function parse(text: string): ErrorBody | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    // Cut off, or a page of something in between.
    return null
  }
}

/** Classes whose texts name rules, tables and columns. Sentences of our own triggers are among them. */
const NAMING_CLASSES = new Set(['0A', '0L', '21', '23', '25', '28', '40', '42', '44', '54', '57', 'P0', 'PT'])

/** A text quotes from its first to its last quotation mark, whatever marks its language has. */
const QUOTED = /["'`«»‹›„“”‚‘’][\s\S]*["'`«»‹›„“”‚‘’]/u

/** What PostgreSQL says in one line. Class 22 is about values, and quotes them. */
export function redactMessage(code: string, message: unknown): string {
  if (typeof message !== 'string') return 'The database refused this.'
  if (NAMING_CLASSES.has(code.slice(0, 2))) return message
  if (!code.startsWith('22')) return 'The database could not do this.'
  return message.replace(QUOTED, `"${HIDDEN}"`).replaceAll(/\b0x[0-9a-f]+\b/giu, HIDDEN)
}

/** Details that quote nothing. */
const HARMLESS = new Set([
  String.raw`\u0000 cannot be converted to text.`,
  'Unicode high surrogate must not follow a high surrogate.',
  'Unicode low surrogate must follow a high surrogate.',
  'The input string ended unexpectedly.',
])

const KEY = /^Key \((?<columns>.+?)\)=\([\s\S]*\)(?<rest> [^()]*\.)$/u
const CONFLICT =
  /^Key \((?<columns>.+?)\)=\([\s\S]*\) conflicts with (?<other>existing )?key \([\s\S]*\)=\([\s\S]*\)\.$/u
const RESTS = [
  /^ already exists\.$/u,
  /^ is duplicated\.$/u,
  /^ is not present in table "[^"]+"\.$/u,
  /^ is (?:still )?referenced from table "[^"]+"\.$/u,
]

/** The second line of PostgreSQL: known sentences keep their columns, every other one is dropped. */
export function redactDetail(details: unknown): string | null {
  if (typeof details !== 'string') return null
  if (HARMLESS.has(details)) return details
  if (/^Failing row contains \([\s\S]*\)\.$/u.test(details)) return `Failing row contains (${HIDDEN}).`
  const conflict = CONFLICT.exec(details)?.groups
  if (conflict) {
    const { columns, other = '' } = conflict
    return `Key (${columns})=(${HIDDEN}) conflicts with ${other}key (${columns})=(${HIDDEN}).`
  }
  const { columns, rest = '' } = KEY.exec(details)?.groups ?? {}
  return columns !== undefined && RESTS.some((known) => known.test(rest)) ? `Key (${columns})=(${HIDDEN})${rest}` : null
}
