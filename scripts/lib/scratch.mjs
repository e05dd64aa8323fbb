import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

const IN_MEMORY = '/dev/shm'
/** Nearly ten times what the tests of two workers were seen to hold there. */
const NEEDED_BYTES = 4 * 2 ** 30

/**
 * Lets tests keep their databases in memory until this program ends, where there is room for them: half of the time that they
 * spend in the system is that of files which are gone a second later. A `TMPDIR` that somebody chose stays.
 */
export function keepScratchInMemory() {
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined || !hasRoom()) return
  // Paths of sockets have 107 bytes at most: a short name.
  const folder = mkdtempSync(`${IN_MEMORY}/wr-`)
  // As /tmp is: some programs run as another person.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}

/** Tests also run programs from there, which some machines do not allow. */
function hasRoom() {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
    const [, , type, options] = mounts.map((line) => line.split(' ')).findLast(([, path]) => path === IN_MEMORY) ?? []
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    const isUsable = type === 'tmpfs' && options?.startsWith('rw') && !options.split(',').includes('noexec')
    return isUsable === true && Math.min(bavail * bsize, freemem()) > NEEDED_BYTES
  } catch {
    return false
  }
}
