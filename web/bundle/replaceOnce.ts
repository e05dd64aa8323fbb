/** Replaces text in a module, and fails the build when it is missing: a new version of the package needs another look. */
export function replaceOnce(code: string, id: string, from: string, to: string): string {
  if (!code.includes(from)) throw new Error(`${id} has changed: look at web/bundle`)
  return code.replace(from, to)
}
