import { join } from 'node:path'

import type { Place } from './service.ts'

const AUTHOR = ['-c', 'user.name=probe', '-c', 'user.email=probe@watch.test']

/** A bare repository with one commit on its branch `main`. @returns where it is */
export function makeRepository({ folder, call }: Pick<Place, 'folder' | 'call'>, name = 'shop'): string {
  const [work, bare] = [join(folder, `${name}.work`), join(folder, `${name}.git`)]
  const git = (...args: string[]): string => call('/usr/bin/git', args)
  git('init', '-q', '-b', 'main', work)
  git('-C', work, ...AUTHOR, 'commit', '-q', '--allow-empty', '-m', 'first')
  git('clone', '-q', '--bare', work, bare)
  return bare
}
