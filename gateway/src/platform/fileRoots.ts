// Which files the product reads for people: below its own folder and below folders that the operator names. Never its own data, and
// never the target of a link that leads elsewhere: real paths are compared.
import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

export interface FileRoots {
  /** Paths that are not absolute begin here. */
  readonly own: string
  /** Of the operator, with everything below. */
  readonly others: readonly string[]
  /** Never, also below a root: the product's own data. */
  readonly hidden: readonly string[]
}

export const isBelowAny = (path: string, { own, others, hidden }: FileRoots): boolean =>
  isBelow(path, own) || (others.some((root) => isBelow(path, root)) && !hidden.some((root) => isBelow(path, root)))

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

export async function toRealRoots({ own, others, hidden }: FileRoots): Promise<FileRoots> {
  // What is not there keeps its name: nothing leads into it.
  const real = (path: string): Promise<string> => realpath(path).catch(() => resolve(path))
  const all = (paths: readonly string[]): Promise<string[]> => Promise.all(paths.map(real))
  return { own: join(await real(dirname(own)), basename(own)), others: await all(others), hidden: await all(hidden) }
}

/** `*` and `?` match parts of a name. No regular expression is built from what people wrote: each `*` is tried once, from the left. */
export function matches(pattern: string, name: string): boolean {
  let [at, from] = [0, 0]
  let [star, retry] = [-1, 0]
  while (from < name.length) {
    if (pattern[at] === '?' || (pattern[at] === name[from] && pattern[at] !== '*')) {
      at += 1
      from += 1
    } else if (pattern[at] === '*') {
      star = at
      retry = from
      at += 1
    } else if (star !== -1) {
      at = star + 1
      retry += 1
      from = retry
    } else return false
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}
