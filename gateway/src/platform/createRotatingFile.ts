// A file of lines that does not grow without end: `path`, and what it was before as `path.1` and so on.
import { closeSync, openSync, renameSync, statSync, writeSync } from 'node:fs'

export interface RotatingFile {
  /** Whole lines. What cannot be written is lost: a log must not stop the program it describes. */
  write(text: string): void
  close(): void
}

export function createRotatingFile(path: string, limits: { maxBytes: number; maxOlder: number }): RotatingFile {
  let descriptor: number | null = null
  let size = 0

  const open = (): number => {
    const opened = openSync(path, 'a', 0o600)
    size = statSync(path).size
    return opened
  }

  const close = (): void => {
    if (descriptor !== null) closeSync(descriptor)
    descriptor = null
  }

  const rotate = (): void => {
    close()
    for (let number = limits.maxOlder; number > 0; number--) {
      try {
        renameSync(number === 1 ? path : `${path}.${number - 1}`, `${path}.${number}`)
      } catch {
        // There are not so many yet.
      }
    }
  }

  return {
    write: (text) => {
      try {
        descriptor ??= open()
        writeSync(descriptor, text)
        size += Buffer.byteLength(text)
        if (size >= limits.maxBytes) rotate()
      } catch {
        // No folder, or a full disk.
        close()
      }
    },
    close,
  }
}
