import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

export interface ArchiveFile {
  /** Path inside the archive, ASCII, with `/`. */
  readonly name: string
  readonly content: string
}

const LOCAL_HEADER = 0x04_03_4b_50
const CENTRAL_HEADER = 0x02_01_4b_50
const END = 0x06_05_4b_50
/** 2.0: deflate. */
const VERSION = 20
const DEFLATED = 8
/** 1980, the first moment of the format. */
const FIRST_YEAR = 1980

/** A zip archive of texts, in memory: for what a person downloads, not for gigabytes (no zip64). */
export async function createZip(files: readonly ArchiveFile[], at: Date): Promise<Buffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const content = Buffer.from(file.content)
    const packed = (await deflate(content)) as Buffer
    const name = Buffer.from(file.name)
    const fields = toFields({ name, content, packed, at })
    const local = Buffer.concat([toUint32(LOCAL_HEADER), fields, toUint16(0), name, packed])
    // Central entry: made-by version, then the same fields, then no extra, no comment, disk 0, no attributes, and the place.
    directory.push(
      Buffer.concat([toUint32(CENTRAL_HEADER), toUint16(VERSION), fields, Buffer.alloc(12), toUint32(offset), name]),
    )
    parts.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.concat([
    toUint32(END),
    Buffer.alloc(4),
    toUint16(files.length),
    toUint16(files.length),
    toUint32(central.length),
    toUint32(offset),
    toUint16(0),
  ])
  return Buffer.concat([...parts, central, end])
}

/** What local and central headers have in common: version needed up to the length of the name. */
function toFields(file: { name: Buffer; content: Buffer; packed: Buffer; at: Date }): Buffer {
  const { name, content, packed, at } = file
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const years = Math.max(0, at.getUTCFullYear() - FIRST_YEAR)
  const date = (years << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return Buffer.concat([
    ...[VERSION, 0, DEFLATED, time, date].map(toUint16),
    ...[crc32(content), packed.length, content.length].map(toUint32),
    toUint16(name.length),
  ])
}

function toUint16(value: number): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16LE(value)
  return buffer
}

function toUint32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}
