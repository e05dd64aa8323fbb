// Colors one line of code without reading the lines before it: enough to tell keys from values, for files of any size.

export type CodeLanguage = 'yaml' | 'json' | 'properties' | 'toml' | 'text'

export interface CodePiece {
  readonly text: string
  /** Absent for plain text. */
  readonly kind?: 'key' | 'string' | 'value' | 'comment'
}

/** Longer lines are not colored: nobody reads those. */
const MAX_LENGTH = 1_000

const STRING = String.raw`"(?:[^"\\]|\\.)*"|'[^']*'`
const VALUE = String.raw`(?<![\w.:/-])(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|~)(?![\w.:/-])`
const IN_VALUE = new RegExp(
  String.raw`(?<string>${STRING})|(?<comment>(?<=^|\s)#.*$)|(?<value>(?<=^[\s:=-]*)${VALUE}(?=\s*(?:#|$)))`,
  'g',
)
const IN_JSON = new RegExp(String.raw`(?<key>"(?:[^"\\]|\\.)*")(?=\s*:)|(?<string>${STRING})|(?<value>${VALUE})`, 'g')
const YAML_KEY = /^(?<lead>\s*(?:- +)*)(?<key>"(?:[^"\\]|\\.)*"|[^\s"'#:-][^:#]*)(?=:(?:\s|$))/
const PROPERTY_KEY = /^(?<lead>\s*)(?<key>\[[^\]]*\]+|[^\s#;!=:[][^=:]*?)(?=\s*[=:]|\s*$)/

export function colorLine(text: string, language: CodeLanguage): CodePiece[] {
  if (language === 'text' || text.length > MAX_LENGTH) return [{ text }]
  if (language === 'json') return toPieces(text, IN_JSON)
  if (/^\s*[#;!]/.test(text) && language !== 'yaml') return [{ text, kind: 'comment' }]
  const found = (language === 'yaml' ? YAML_KEY : PROPERTY_KEY).exec(text)?.groups
  if (found === undefined) return toPieces(text, IN_VALUE)
  const { lead = '', key = '' } = found
  return [
    { text: lead },
    { text: key, kind: 'key' as const },
    ...toPieces(text.slice(lead.length + key.length), IN_VALUE),
  ]
}

function toPieces(text: string, pattern: RegExp): CodePiece[] {
  const pieces: CodePiece[] = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index) })
    pieces.push({ text: match[0], ...toKind(match.groups ?? {}) })
    at = match.index + match[0].length
  }
  if (at < text.length) pieces.push({ text: text.slice(at) })
  return pieces
}

function toKind({ key, string, comment }: Readonly<Record<string, string | undefined>>): Pick<CodePiece, 'kind'> {
  if (key !== undefined) return { kind: 'key' }
  if (string !== undefined) return { kind: 'string' }
  return { kind: comment === undefined ? 'value' : 'comment' }
}
