// An address that values were filled into still leads to the server that its author wrote: credentials stand beside it. A template
// that leaves the name of the server open leaves it to the values.

/** What stands between `//` and the path, blanks included: addresses are read without some of them. */
const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/([^/?#\\]*)/i
const HOLE = '\0'
const PORT = /:\d*$/

/** @param holes of the template, each a match of this; global */
export function keepsServer(template: string, holes: RegExp, filled: string): boolean {
  const written = AUTHORITY.exec(template.replaceAll(holes, HOLE))?.[1]
  if (written === undefined || !written.includes(HOLE)) return true
  const found = AUTHORITY.exec(filled)?.[1] ?? ''
  const [first = '', ...others] = written.split(HOLE)
  const last = others.at(-1) ?? ''
  if (!/^[\x21-\x7e]*$/.test(found) || signsOf(found) !== signsOf(written)) return false
  if (!found.startsWith(first) || !found.slice(first.length).endsWith(last)) return false
  if (last.replace(PORT, '') !== '') return true
  // The name ends in a value. Behind a name, or a part of one, that was written out it may not go on to another.
  const before = [first, ...others].at(-2) ?? ''
  if (before === '' || /[.@:]$/.test(before)) return true
  const name = found.slice(0, found.length - last.length)
  return !/[.:]/.test(name.slice(name.lastIndexOf(before) + before.length))
}

/** What stands before it is no name of a server. */
const signsOf = (authority: string): number => authority.split('@').length

/** Up one folder, as addresses are read. */
const UP = /^(?:\.|%2e){2}$/i

/** Whether a value goes up the path that its author wrote, to something else of the same server. */
export function climbs(template: string, holes: RegExp, filled: string): boolean {
  return upsOf(filled) > upsOf(template.replaceAll(holes, HOLE))
}

function upsOf(address: string): number {
  const [path = ''] = address.replaceAll(/[\t\n\r]/g, '').split(/[?#]/, 1)
  return path.split(/[/\\]/).filter((part) => UP.test(part)).length
}
