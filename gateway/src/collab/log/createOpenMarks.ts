// Notes in the database which documents are open. One that still has its mark was not closed in order: its gateway ended, and the
// log may hold edits that no row has yet (COLLAB-23).

import { randomUUID } from 'node:crypto'

import type { Pool } from 'pg'

export interface OpenMarks {
  /** @returns what takes this very mark away again; another one that was set meanwhile stays */
  set(document: string): Promise<() => Promise<void>>
  /** Documents that are marked, by this gateway or by one that is no more. */
  list(): Promise<string[]>
}

export function createOpenMarks(pool: () => Pool): OpenMarks {
  return {
    set: async (document) => {
      const mark = randomUUID()
      await pool().query('update watchroom.document set open_mark = $2 where name = $1', [document, mark])
      return async () => {
        await pool().query('update watchroom.document set open_mark = null where name = $1 and open_mark = $2', [
          document,
          mark,
        ])
      }
    },
    list: async () => {
      const { rows } = await pool().query<{ name: string }>(
        'select name from watchroom.document where open_mark is not null order by name',
      )
      return rows.map(({ name }) => name)
    },
  }
}
