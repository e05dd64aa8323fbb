import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export function findOnPath(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

/** Programs of the operating system that npm does not bring, and their packages in Debian. */
const PACKAGES = { ping: 'iputils-ping', 'redis-server': 'redis-server' } as const

/** Null where it is not installed, so that a test can say what the product does then. */
export const findProgram = (name: keyof typeof PACKAGES): string | null => findOnPath(name)

/** Installs what is missing. */
export function installPrograms(): void {
  installPackages(
    Object.entries(PACKAGES).flatMap(([name, debianPackage]) => (findOnPath(name) === null ? [debianPackage] : [])),
  )
}

/** As root on Debian. Elsewhere, and without a network, they stay missing. */
export function installPackages(packages: readonly string[]): void {
  if (packages.length === 0 || process.getuid?.() !== 0 || findOnPath('apt-get') === null) return
  // Services must not start by themselves: a test starts its own, on its own port.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'pipe', env })
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { stdio: 'pipe', env })
  } catch {
    // No network or no such package: the same as not being root.
  }
}
