import { type FSWatcher, watch } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { type Clock, createTimer } from '@watchroom/shared/kernel'

/** An editor saves in several steps, and several files at once. Later events do not put the call off. */
const SETTLE_MS = 150
/** Each takes a watch of the system; what is in others is found by the schedule. */
const MAX_FOLDERS = 1_000

interface Watched {
  readonly watcher: FSWatcher
  /** A watch stays with what it was set on, also when another folder takes its place. */
  readonly identity: string
}

/**
 * Calls when something in the folders or below changed. The folder above each is watched for its coming, its going, and what takes its
 * place.
 */
export function watchFolders(roots: readonly string[], clock: Clock, onChange: () => void): { close(): void } {
  const watched = new Map<string, Watched>()
  const timer = createTimer(clock)
  let following = Promise.resolve()
  let isClosed = false

  const handleEvent = (): void => {
    if (isClosed || timer.isSet()) return
    timer.set(() => {
      // What comes is watched before anyone looks into it: nothing falls between.
      void followInTurn().then(() => {
        if (!isClosed) onChange()
      })
    }, SETTLE_MS)
  }

  const forget = (key: string): void => {
    watched.get(key)?.watcher.close()
    watched.delete(key)
  }

  /** @param child the only one whose events count, beside those of the folder itself */
  const watchOne = async (key: string, folder: string, child?: string): Promise<boolean> => {
    // Read before the watch is set: if another folder takes its place in between, the next look notices.
    const identity = await identityOf(folder)
    if (identity === null) return false
    if (watched.get(key)?.identity === identity) return true
    forget(key)
    if (isClosed || watched.size >= MAX_FOLDERS) return true
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (child === undefined || name === null || name === child || name === basename(folder)) handleEvent()
      })
      // It is gone: what it held is found missing by the run that this asks for.
      watcher.on('error', () => {
        forget(key)
        handleEvent()
      })
      watched.set(key, { watcher, identity })
    } catch {
      // It has just gone, or is not for us to look into.
    }
    return true
  }

  /** The nearest folder above that is there, for the next one on the way. @returns its key */
  async function watchAbove(root: string): Promise<string> {
    let child = root
    let folder = dirname(root)
    const toKey = (): string => `${folder}\0${basename(child)}`
    while (folder !== child && !(await watchOne(toKey(), folder, basename(child)))) {
      child = folder
      folder = dirname(folder)
    }
    return toKey()
  }

  async function follow(): Promise<void> {
    const there = new Set<string>()
    const open = [...new Set(roots)]
    for (const root of open) there.add(await watchAbove(root))
    let folders = 0
    for (let folder = open.pop(); folder !== undefined && folders < MAX_FOLDERS; folder = open.pop()) {
      if (!(await watchOne(folder, folder))) continue
      there.add(folder)
      folders += 1
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
      for (const entry of entries) if (entry.isDirectory() && entry.name !== '.git') open.push(join(folder, entry.name))
    }
    for (const key of watched.keys()) if (!there.has(key)) forget(key)
  }

  const followInTurn = (): Promise<void> => {
    following = following.then(follow)
    return following
  }

  void followInTurn()
  return {
    close: () => {
      isClosed = true
      timer.clear()
      for (const key of watched.keys()) forget(key)
    },
  }
}

/** Numbers of what is gone are given again, so the moment at which it was made counts too. Null where it is not there. */
async function identityOf(folder: string): Promise<string | null> {
  try {
    const { dev, ino, birthtimeNs } = await stat(folder, { bigint: true })
    return `${dev} ${ino} ${birthtimeNs}`
  } catch {
    return null
  }
}
