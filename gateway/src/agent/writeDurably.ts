import { open, rename } from 'node:fs/promises'

/** Replaces a file: after a crash it holds all of the new text, or all of the old one. */
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
