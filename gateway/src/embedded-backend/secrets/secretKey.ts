// The key that stored credentials are sealed to. Its private half is a file that only this user may read; the database has
// the public half alone.
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { messageOf } from '@watchroom/shared/kernel'

import { CodedError } from '../../platform/errors.ts'
import { BACKEND_ERRORS } from '../errors.ts'
import { createPrivateKey, PRIVATE_KEY_BYTES, toPublicKey } from './openPgp.ts'

export interface SecretKey {
  /** SHA-256 of the public key, in hexadecimal digits. */
  readonly id: string
  readonly publicKey: Buffer
  readonly privateKey: Buffer
}

const FILE_NAME = 'secret-key'
const FILE_MODE = 0o600

export function toSecretKey(privateKey: Buffer): SecretKey {
  const publicKey = toPublicKey(privateKey)
  return { id: createHash('sha256').update(publicKey).digest('hex'), publicKey, privateKey }
}

/**
 * Reads the key, or makes it on the first start.
 *
 * @param file where it is instead of in the data directory
 * @throws CodedError BACKEND_SECRET_KEY_INVALID
 */
export function prepareSecretKey(dataDirectory: string, file = join(dataDirectory, FILE_NAME)): SecretKey {
  try {
    return toSecretKey(existsSync(file) ? readKey(file) : writeKey(file))
  } catch (error) {
    if (error instanceof CodedError) throw error
    throw invalid(file, messageOf(error))
  }
}

function readKey(file: string): Buffer {
  // A mounted secret may belong to another user; that others may read it is wrong anywhere.
  if ((statSync(file).mode & 0o077) !== 0) throw invalid(file, 'others may read it; make it mode 0600')
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url')
  if (key.length !== PRIVATE_KEY_BYTES) throw invalid(file, 'it holds no key')
  return key
}

function writeKey(file: string): Buffer {
  const key = createPrivateKey()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Renamed into place, so that a start cut short leaves either no key or a whole one.
  writeFileSync(`${file}.new`, `${key.toString('base64url')}\n`, { mode: FILE_MODE, flush: true })
  chmodSync(`${file}.new`, FILE_MODE)
  renameSync(`${file}.new`, file)
  return key
}

function invalid(file: string, detail: string): CodedError {
  return new CodedError(BACKEND_ERRORS.BACKEND_SECRET_KEY_INVALID, { values: { file, detail } })
}
