import { open, rename } from 'node:fs/promises'

/** The whole of it, or what was there before. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
}
