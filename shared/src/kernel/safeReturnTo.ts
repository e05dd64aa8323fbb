/**
 * The place to go after sign-in, if it is one of ours: a path on this origin. Anything else would let a link send a
 * freshly signed-in person to a stranger's page.
 */
export function safeReturnTo(target: string | string[] | undefined): string {
  if (typeof target !== 'string' || !target.startsWith('/')) return '/'
  // Browsers read `\` as `/` and drop tabs and newlines, so `/\evil` and `/<tab>/evil` name another host.
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what must not pass
  if (/^\/[/\\]/.test(target) || /[\\\u0000-\u001f]/.test(target)) return '/'
  return target
}
