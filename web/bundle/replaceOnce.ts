/** Replaces text of a module and refuses to build when it is not there: a new version of the package needs a new look. */
export function replaceOnce(code: string, id: string, from: string, to: string): string {
  if (!code.includes(from)) throw new Error(`${id} has changed: look at web/bundle`)
  return code.replace(from, to)
}
