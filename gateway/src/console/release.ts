import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The page's first script; its name holds a hash over every file of the client. */
const FIRST_SCRIPT = /<script type="module"[^>]* src="([^"]+)"/

/** Which build of the web client is served now: read anew each time, because a release may replace the files underneath. */
export async function readRelease(webRoot: string): Promise<{ build: string | null }> {
  try {
    const page = await readFile(join(webRoot, 'index.html'), 'utf8')
    return { build: FIRST_SCRIPT.exec(page)?.[1] ?? null }
  } catch {
    // There is no client, or it is just being replaced: nobody shall reload for that.
    return { build: null }
  }
}
