// Writes what JSON can say as YAML. The library that reads YAML here takes seconds for the megabyte that a config item may
// hold; this takes milliseconds, because it only has to write.

/** Below it a value stands on one line, as the JSON that is part of YAML: nesting is bounded by nothing else. */
const MAX_DEPTH = 100

/** Words that a reader of YAML, old or new, takes for something other than text. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i
/** Text that needs no quotes begins with a letter, and nothing in it begins a comment or a value. */
// oxlint-disable-next-line no-control-regex -- those are what must not be in it
const PLAIN = /^[A-Za-z_/][^\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]*$/
const MARKED = /:(?:\s|$)|\s#| $/
/** Several lines that can stand as they are: the first one tells how far all are indented. */
// oxlint-disable-next-line no-control-regex -- those are what must not be in it
const BLOCK = /^[^\s][^\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]*$/

/** @returns the lines of a YAML document, without line ends. What JSON cannot express becomes `null`. */
export function toYamlLines(value: unknown): string[] {
  const lines: string[] = []
  write(lines, '', '', value, 0)
  return lines
}

/**
 * @param lead what stands before the value: nothing, `key:`, or `- `
 * @param indent of the lines that belong to the value
 */
function write(lines: string[], lead: string, indent: string, value: unknown, depth: number): void {
  const entries = depth < MAX_DEPTH ? toEntries(value) : null
  if (entries === null) {
    writeScalar(lines, lead, indent, value)
    return
  }
  const isInline = !lead.endsWith(':')
  if (!isInline) lines.push(lead)
  for (const [index, { mark, child }] of entries.entries()) {
    write(lines, (index === 0 && isInline ? lead : indent) + mark, `${indent}  `, child, depth + 1)
  }
}

/** What a map or a list holds; null for everything that stands on its own. */
function toEntries(value: unknown): { mark: string; child: unknown }[] | null {
  if (typeof value !== 'object' || value === null) return null
  const entries = Array.isArray(value)
    ? value.map((child: unknown) => ({ mark: '- ', child }))
    : Object.entries(value).map(([key, child]: [string, unknown]) => ({ mark: `${quote(key)}:`, child }))
  return entries.length === 0 ? null : entries
}

function writeScalar(lines: string[], lead: string, indent: string, value: unknown): void {
  const start = lead === '' || lead.endsWith(' ') ? lead : `${lead} `
  if (typeof value !== 'string' || indent === '' || !isBlock(value)) {
    lines.push(start + (typeof value === 'string' ? quote(value) : JSON.stringify(value ?? null)))
    return
  }
  const hasEnd = value.endsWith('\n')
  lines.push(`${start}|${hasEnd ? '' : '-'}`)
  for (const line of (hasEnd ? value.slice(0, -1) : value).split('\n')) lines.push(line === '' ? '' : indent + line)
}

const isBlock = (text: string): boolean =>
  text.includes('\n') && !text.endsWith('\n\n') && BLOCK.test(text) && !/^ +$/m.test(text)

const quote = (text: string): string =>
  PLAIN.test(text) && !MARKED.test(text) && !RESERVED.test(text) ? text : JSON.stringify(text)
