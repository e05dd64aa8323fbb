import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { type Clock, createTimer } from '@watchroom/shared/kernel'

/** An editor saves in several steps, and several files at once. Later events do not put the call off. */
const SETTLE_MS = 150
/** Each takes a watch of the system; what is in others is found by the schedule. */
const MAX_FOLDERS = 1_000

/** Calls when something in the folders or below changed. Folders that come later are watched as soon as the one above tells of them. */
export function watchFolders(roots: readonly string[], clock: Clock, onChange: () => void): { close(): void } {
  const watchers = new Map<string, FSWatcher>()
  const timer = createTimer(clock)
  let isClosed = false

  const handleEvent = (): void => {
    if (isClosed || timer.isSet()) return
    timer.set(() => {
      void follow()
      onChange()
    }, SETTLE_MS)
  }

  const forget = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }

  const watchOne = (folder: string): void => {
    if (isClosed || watchers.has(folder) || watchers.size >= MAX_FOLDERS) return
    try {
      const watcher = watch(folder, { persistent: false }, handleEvent)
      // It is gone: what it held is found missing by the run that this asks for.
      watcher.on('error', () => {
        forget(folder)
        handleEvent()
      })
      watchers.set(folder, watcher)
    } catch {
      // It is not there yet, or not for us to look into.
    }
  }

  async function follow(): Promise<void> {
    const there = new Set<string>()
    const open = [...new Set(roots)]
    for (let folder = open.pop(); folder !== undefined && there.size < MAX_FOLDERS; folder = open.pop()) {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
      if (entries === null) continue
      there.add(folder)
      watchOne(folder)
      for (const entry of entries) if (entry.isDirectory() && entry.name !== '.git') open.push(join(folder, entry.name))
    }
    for (const folder of watchers.keys()) if (!there.has(folder)) forget(folder)
  }

  void follow()
  return {
    close: () => {
      isClosed = true
      timer.clear()
      for (const folder of watchers.keys()) forget(folder)
    },
  }
}
