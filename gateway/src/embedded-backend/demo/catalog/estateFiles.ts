// The files of Harbour Parcel: written once, and then people's to edit. One of them goes on moving, so that changes arrive.
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { type Clock, createLoop, type Loop } from '@watchroom/shared/kernel'
import type { Logger } from 'pino'
import { stringify } from 'yaml'

import { estateItems, type EstateItem, fileOf, MOVING_FILE, REPORT_MS } from './estateItems.ts'
import { ESTATE_FOLDER } from './estateScraper.ts'

/** As often as a machine reports: each time one of them tells something new. Reading all files takes 0.15 s of a processor. */
const MOVE_MS = REPORT_MS

export const toDocuments = (items: readonly EstateItem[]): string => items.map((item) => stringify(item)).join('---\n')

function toText(name: string, items: readonly EstateItem[]): string {
  const note =
    name === MOVING_FILE
      ? `# The demo writes this file anew every ${MOVE_MS / 1_000} s. The others are yours to edit.\n`
      : ''
  return note + toDocuments(items)
}

/** All of them, where there are none. */
export async function writeEstate(sources: string, since: number, at: number): Promise<void> {
  const folder = join(sources, ESTATE_FOLDER)
  await mkdir(folder, { recursive: true })
  const files = new Map<string, EstateItem[]>()
  for (const item of estateItems(since, at)) files.set(fileOf(item), [...(files.get(fileOf(item)) ?? []), item])
  for (const [name, items] of files) {
    const path = join(folder, name)
    if (!existsSync(path)) await writeFile(path, toText(name, items))
  }
}

/** Writes the moving file anew for as long as there is one. */
export function moveEstate(
  sources: string,
  since: number,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Loop {
  const path = join(sources, ESTATE_FOLDER, MOVING_FILE)
  const move = async (): Promise<void> => {
    if (!existsSync(path)) return
    const items = estateItems(since, clock.now()).filter((item) => fileOf(item) === MOVING_FILE)
    try {
      // Renamed into place: whoever reads meanwhile finds all of it.
      await writeFile(`${path}.new`, toText(MOVING_FILE, items))
      await rename(`${path}.new`, path)
    } catch (error) {
      logger.warn({ err: error }, 'the estate of the demo does not move')
    }
  }
  return createLoop(clock, move, { everyMs: MOVE_MS })
}
