// The machine or container that the product runs on: its disks, its interfaces and their addresses.
import { readFile, statfs } from 'node:fs/promises'
import { arch, availableParallelism, cpus, hostname, networkInterfaces, platform, release, totalmem } from 'node:os'

import { findDiskFault } from '../../../checks/selfProbes.ts'
import { type SelfInsight, type SelfItem, toSizeClass } from './selfItem.ts'

export const HOST_ID = 'host'

/** Those that hold files of their own and answer at once; a server that is away would hold up the reading of all. */
const DISK_TYPES = new Set(
  'bcachefs btrfs exfat ext2 ext3 ext4 f2fs jfs ntfs ntfs3 overlay reiserfs vfat xfs zfs'.split(' '),
)
const MAX_DISKS = 100
const MEMORY_STEP_BYTES = 256 * 2 ** 20
const USED_STEP_PERCENT = 10

export interface Mount {
  readonly path: string
  readonly fileSystem: string
  readonly isReadOnly: boolean
  /** Of what is mounted: the same one may be seen in several places. */
  readonly device: string
}

export interface Space {
  readonly totalBytes: number
  readonly freeBytes: number
}

export async function readHost(): Promise<SelfItem[]> {
  const mounts = parseMounts(await readFile('/proc/self/mountinfo', 'utf8').catch(() => ''))
  const disks = await Promise.all(
    mounts.slice(0, MAX_DISKS).map(async (mount) => ({ mount, space: await sizeOf(mount) })),
  )
  return [
    toHost(),
    ...disks.flatMap(({ mount, space }) => (space === null ? [] : [toDisk(mount, space)])),
    ...toInterfaces(networkInterfaces()),
  ]
}

function toHost(): SelfItem {
  const [processor] = cpus()
  return {
    id: HOST_ID,
    name: hostname() || 'this host',
    type: 'Host::Machine',
    class: 'Host',
    health: 'healthy',
    config: {
      hostname: hostname(),
      system: platform(),
      release: release(),
      architecture: arch(),
      processor: processor?.model.trim() ?? 'unknown',
      processors: availableParallelism(),
      memoryBytes: Math.round(totalmem() / MEMORY_STEP_BYTES) * MEMORY_STEP_BYTES,
    },
  }
}

/** Of `/proc/self/mountinfo`: disks alone, each once, under its shortest path. */
export function parseMounts(text: string): Mount[] {
  const mounts = new Map<string, Mount>()
  for (const line of text.split('\n')) {
    const [own = '', rest = ''] = line.split(' - ')
    const [, , device = '', , path = '', options = ''] = own.split(' ')
    const [fileSystem = ''] = rest.split(' ')
    if (!DISK_TYPES.has(fileSystem)) continue
    const known = mounts.get(device)
    const mount = { path: unescape(path), fileSystem, isReadOnly: options.split(',').includes('ro'), device }
    if (!known || mount.path.length < known.path.length) mounts.set(device, mount)
  }
  return [...mounts.values()]
}

/** The kernel writes spaces and their kind in octal. */
const unescape = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCodePoint(Number.parseInt(octal, 8)))

async function sizeOf({ path }: Mount): Promise<Space | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(path)
    return blocks === 0 ? null : { totalBytes: blocks * bsize, freeBytes: bavail * bsize }
  } catch {
    // Mounted where this user may not look: not a disk of ours.
    return null
  }
}

export function toDisk({ path, fileSystem, isReadOnly }: Mount, { totalBytes, freeBytes }: Space): SelfItem {
  const isFull = !isReadOnly && findDiskFault(freeBytes, freeBytes / totalBytes).length > 0
  const used = Math.round(((1 - freeBytes / totalBytes) * 100) / USED_STEP_PERCENT) * USED_STEP_PERCENT
  return {
    id: `host/disk${path}`,
    name: path,
    type: 'Host::Disk',
    class: 'Disk',
    parent: HOST_ID,
    health: isFull ? 'warning' : 'healthy',
    config: { mount: path, fileSystem, readOnly: isReadOnly, totalBytes },
    properties: [
      { name: 'size', value: toSizeClass(totalBytes) },
      { name: 'used', value: `about ${used} %` },
    ],
    insights: isFull ? [ALMOST_FULL] : [],
  }
}

const ALMOST_FULL: SelfInsight = {
  analyzer: 'disk-almost-full',
  type: 'availability',
  severity: 'high',
  summary: 'This disk is almost full',
  message: 'Less than a tenth of it, or less than 1 GiB, is free. A database that cannot write stops.',
}

export function toInterfaces(interfaces: ReturnType<typeof networkInterfaces>): SelfItem[] {
  return Object.entries(interfaces).flatMap(([name, addresses = []]) => {
    const id = `host/interface/${name}`
    const [first] = addresses
    return [
      {
        id,
        name,
        type: 'Host::Interface',
        class: 'NetworkInterface',
        parent: HOST_ID,
        config: { name, hardwareAddress: first?.mac ?? null, internal: first?.internal ?? false },
      },
      ...addresses.map(({ address, family, cidr }) => ({
        id: `${id}/${address}`,
        name: address,
        type: 'Host::Address',
        class: 'IPAddress',
        parent: id,
        config: { address, family, network: cidr },
      })),
    ]
  })
}
