import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

function findOnPath(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

/**
 * A program of the operating system that npm does not bring: the one on PATH, or, as root on Debian, its package installed
 * now. Null where neither is to be had, so that a test can say what the product does then.
 */
export function ensureProgram(name: string, debianPackage: string): string | null {
  const found = findOnPath(name)
  if (found !== null || process.getuid?.() !== 0 || findOnPath('apt-get') === null) return found
  // Services must not start by themselves: a test starts its own, on its own port.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'pipe', env })
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', debianPackage], { stdio: 'pipe', env })
  } catch {
    // No network or no such package: the same as not being root.
    return null
  }
  return findOnPath(name)
}
