// A name server that speaks real DNS packets (RFC 1035) over UDP, for as many record types as the dns check asks for.
import { createSocket } from 'node:dgram'
import { isIPv4, isIPv6 } from 'node:net'

import { onTestFinished } from 'vitest'

const TYPES = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, MX: 15, TXT: 16, AAAA: 28, SRV: 33 } as const
const RCODE = { ok: 0, servfail: 2, nxdomain: 3, refused: 5 } as const
type RecordType = keyof typeof TYPES

export interface DnsServer {
  port: number
  /** Questions received, as `name TYPE`. */
  questions: string[]
}

/** Records by `name TYPE`; a record is its parts separated by blanks, as in a zone file. */
export type DnsZone = Record<string, readonly string[]>
export type DnsMood = 'normal' | 'silent' | 'servfail' | 'refused'

/** Listens on a free loopback port until the test has finished. */
export async function startDnsServer(zone: DnsZone, mood: DnsMood = 'normal'): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const questions: string[] = []
  const names = new Set(Object.keys(zone).map((key) => key.split(' ')[0]))
  socket.on('message', (message, remote) => {
    const { name, type, end } = readQuestion(message)
    questions.push(`${name} ${type}`)
    if (mood === 'silent') return
    const records = mood === 'normal' ? (zone[`${name} ${type}`] ?? []) : []
    const code = mood === 'normal' ? (names.has(name) ? RCODE.ok : RCODE.nxdomain) : RCODE[mood]
    socket.send(buildAnswer(message, end, type, records, code), remote.port, remote.address)
  })
  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve)
  })
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        socket.close(() => resolve())
      }),
  )
  return { port: socket.address().port, questions }
}

function readQuestion(message: Buffer): { name: string; type: RecordType; end: number } {
  const labels: string[] = []
  let at = 12
  for (let size = message.readUInt8(at); size > 0; size = message.readUInt8(at)) {
    labels.push(message.toString('ascii', at + 1, at + 1 + size))
    at += 1 + size
  }
  const number = message.readUInt16BE(at + 1)
  const type = (Object.keys(TYPES) as RecordType[]).find((name) => TYPES[name] === number)
  if (type === undefined) throw new Error(`the test name server does not know record type ${number}`)
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

function buildAnswer(query: Buffer, end: number, type: RecordType, records: readonly string[], code: number): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt16BE(query.readUInt16BE(0), 0)
  // Response, recursion desired and available.
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  const answers = records.map((record) => {
    const data = encode(type, record)
    const head = Buffer.alloc(12)
    // The name is the question's, by pointer.
    head.writeUInt16BE(0xc00c, 0)
    head.writeUInt16BE(TYPES[type], 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt32BE(60, 6)
    head.writeUInt16BE(data.length, 10)
    return Buffer.concat([head, data])
  })
  return Buffer.concat([header, query.subarray(12, end), ...answers])
}

function encode(type: RecordType, record: string): Buffer {
  const parts = record.split(' ')
  const part = (index: number): string => parts[index] ?? ''
  switch (type) {
    case 'A':
      if (!isIPv4(record)) throw new Error(`not an IPv4 address: ${record}`)
      return Buffer.from(record.split('.').map(Number))
    case 'AAAA':
      return encodeIpv6(record)
    case 'NS':
    case 'CNAME':
    case 'PTR':
      return encodeName(record)
    case 'MX':
      return Buffer.concat([uint16(part(0)), encodeName(part(1))])
    case 'SRV':
      return Buffer.concat([uint16(part(0)), uint16(part(1)), uint16(part(2)), encodeName(part(3))])
    case 'TXT':
      return Buffer.concat([Buffer.from([record.length]), Buffer.from(record)])
    case 'SOA':
      return Buffer.concat([encodeName(part(0)), encodeName(part(1)), ...parts.slice(2).map(uint32)])
  }
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '')
  return Buffer.concat([...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.from([0])])
}

/** Full notation or one `::`. */
function encodeIpv6(address: string): Buffer {
  if (!isIPv6(address)) throw new Error(`not an IPv6 address: ${address}`)
  const [head = '', tail] = address.split('::')
  const groups = (text: string): string[] => text.split(':').filter((group) => group !== '')
  const start = groups(head)
  const finish = tail === undefined ? [] : groups(tail)
  const gap = Array.from({ length: 8 - start.length - finish.length }, () => '0')
  return Buffer.concat([...start, ...gap, ...finish].map((group) => uint16(`0x${group}`)))
}

function uint16(text: string): Buffer {
  const buffer = Buffer.alloc(2)
  buffer.writeUInt16BE(Number(text))
  return buffer
}

function uint32(text: string): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(Number(text))
  return buffer
}
