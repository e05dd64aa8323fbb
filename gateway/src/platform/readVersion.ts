import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { z } from 'zod'

const ManifestSchema = z.object({ version: z.string() })

/** Version in the nearest package.json above this file, which lies at another depth in the sources than in the bundle. */
export function readVersion(from = import.meta.dirname): string {
  const path = join(from, 'package.json')
  if (existsSync(path)) {
    const manifest = ManifestSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')))
    if (manifest.success) return manifest.data.version
  }
  const above = dirname(from)
  return above === from ? 'unknown' : readVersion(above)
}
