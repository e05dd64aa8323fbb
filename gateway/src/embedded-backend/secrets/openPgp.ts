// As much of OpenPGP (RFC 9580) as it takes to open what pgcrypto sealed: an ElGamal key as packets, and one kind of message.
import { createDecipheriv, createDiffieHellman, createHash, getDiffieHellman, randomBytes } from 'node:crypto'

/** 3072 bits, RFC 3526: the same prime for everyone, so that making a key takes no search. */
const { prime, generator } = readGroup()
const PRIME = toBigInt(prime)
/** Twice the strength of the group, in bytes. */
export const PRIVATE_KEY_BYTES = 40

const ELGAMAL = 16
const AES256 = 9
const TAG = { session: 1, publicKey: 6, literal: 11, publicSubkey: 14, sealed: 18, digest: 19 } as const
const BLOCK_BYTES = 16

function readGroup(): { prime: Buffer; generator: Buffer } {
  const group = getDiffieHellman('modp15')
  return { prime: group.getPrime(), generator: group.getGenerator() }
}

export function createPrivateKey(): Buffer {
  return randomBytes(PRIVATE_KEY_BYTES)
}

/** @returns packets that `pgp_pub_encrypt_bytea` takes */
export function toPublicKey(privateKey: Buffer): Buffer {
  const exchange = createDiffieHellman(prime, generator)
  exchange.setPrivateKey(privateKey)
  const body = Buffer.concat([
    // Version, and a time of creation that says nothing: the same private key is always the same public key.
    Buffer.from([4, 0, 0, 0, 1, ELGAMAL]),
    ...[prime, generator, exchange.generateKeys()].map(toInteger),
  ])
  return Buffer.concat([toPacket(TAG.publicKey, body), toPacket(TAG.publicSubkey, body)])
}

/** @throws Error when the message is not for this key, or was altered */
export function openMessage(message: Buffer, privateKey: Buffer): Buffer {
  const packets = readPackets(message)
  const session = packets.find(({ tag }) => tag === TAG.session)?.body
  const sealed = packets.find(({ tag }) => tag === TAG.sealed)?.body
  if (!session || !sealed) throw new Error('not a sealed message')
  return openSealed(sealed, openSession(session, privateKey))
}

/** @returns the key of the message */
function openSession(body: Buffer, privateKey: Buffer): Buffer {
  if (body[0] !== 3 || body[9] !== ELGAMAL) throw new Error('sealed with another kind of key')
  const [shared, rest] = readInteger(body.subarray(10))
  const [masked] = readInteger(rest)
  const exchange = createDiffieHellman(prime, generator)
  exchange.setPrivateKey(privateKey)
  const secret = toBigInt(exchange.computeSecret(shared))
  const padded = toBuffer((toBigInt(masked) * invert(secret)) % PRIME, prime.length)
  // 0, 2, random bytes without a 0, 0, then what was meant.
  const end = padded.indexOf(0, 2)
  if (padded[0] !== 0 || padded[1] !== 2 || end === -1) throw new Error('sealed for another key')
  const opened = padded.subarray(end + 1)
  const key = opened.subarray(1, -2)
  const sum = key.reduce((total, byte) => (total + byte) & 0xffff, 0)
  if (opened[0] !== AES256 || key.length !== 32 || sum !== opened.readUInt16BE(opened.length - 2))
    throw new Error('sealed for another key')
  return key
}

function openSealed(body: Buffer, key: Buffer): Buffer {
  if (body[0] !== 1) throw new Error('sealed without a digest')
  const decipher = createDecipheriv('aes-256-cfb', key, Buffer.alloc(BLOCK_BYTES))
  const opened = Buffer.concat([decipher.update(body.subarray(1)), decipher.final()])
  const digest = opened.subarray(-20)
  const expected = createHash('sha1').update(opened.subarray(0, -20)).digest()
  if (opened.at(-22) !== 0xd3 || opened.at(-21) !== 20 || !digest.equals(expected)) throw new Error('altered')
  const literal = readPackets(opened.subarray(BLOCK_BYTES + 2)).find(({ tag }) => tag === TAG.literal)?.body
  if (!literal) throw new Error('nothing is inside')
  // Format, name and time come before what was written.
  return literal.subarray(2 + (literal[1] ?? 0) + 4)
}

interface Packet {
  tag: number
  body: Buffer
}

function readPackets(bytes: Buffer): Packet[] {
  const packets: Packet[] = []
  let rest = bytes
  while (rest.length > 0) {
    const first = rest[0] ?? 0
    const isNew = (first & 0x40) !== 0
    const tag = isNew ? first & 0x3f : (first >> 2) & 0x0f
    const { body, size } = isNew ? readNewBody(rest) : readOldBody(rest, first & 3)
    packets.push({ tag, body })
    rest = rest.subarray(size)
  }
  return packets
}

function readNewBody(bytes: Buffer): { body: Buffer; size: number } {
  const parts: Buffer[] = []
  let at = 1
  for (;;) {
    const first = bytes[at] ?? 0
    let length = first
    let isPart = false
    if (first < 192) at += 1
    else if (first < 224) {
      length = ((first - 192) << 8) + (bytes[at + 1] ?? 0) + 192
      at += 2
    } else if (first === 255) {
      length = bytes.readUInt32BE(at + 1)
      at += 5
    } else {
      length = 2 ** (first & 31)
      isPart = true
      at += 1
    }
    parts.push(bytes.subarray(at, at + length))
    at += length
    if (!isPart) return { body: Buffer.concat(parts), size: at }
  }
}

function readOldBody(bytes: Buffer, kind: number): { body: Buffer; size: number } {
  // Without a length: to the end.
  if (kind === 3) return { body: bytes.subarray(1), size: bytes.length }
  const start = 1 + 2 ** kind
  const size = start + bytes.readUIntBE(1, 2 ** kind)
  return { body: bytes.subarray(start, size), size }
}

function toPacket(tag: number, body: Buffer): Buffer {
  const head = Buffer.alloc(6)
  head[0] = 0xc0 | tag
  head[1] = 255
  head.writeUInt32BE(body.length, 2)
  return Buffer.concat([head, body])
}

/** A number with its length in bits before it. */
function toInteger(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0)
  const value = bytes.subarray(Math.max(start, 0))
  const head = Buffer.alloc(2)
  head.writeUInt16BE(value.length * 8 - Math.clz32(value[0] ?? 0) + 24)
  return Buffer.concat([head, value])
}

function readInteger(bytes: Buffer): [Buffer, Buffer] {
  const end = 2 + Math.ceil(bytes.readUInt16BE(0) / 8)
  return [bytes.subarray(2, end), bytes.subarray(end)]
}

function toBigInt(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`)
}

function toBuffer(value: bigint, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex')
}

/** Of a number modulo the prime (extended Euclid). */
function invert(value: bigint): bigint {
  let [a, b] = [value % PRIME, PRIME]
  let [x, y] = [1n, 0n]
  while (a > 1n) {
    const quotient = b / a
    ;[a, b] = [b - quotient * a, a]
    ;[x, y] = [y - quotient * x, x]
  }
  return ((x % PRIME) + PRIME) % PRIME
}
