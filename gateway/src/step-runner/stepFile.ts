// A file that a step left, as a row of `artifacts` tells of it.
import { createHash } from 'node:crypto'
import { posix } from 'node:path'

import { maskCredentials } from '@watchroom/shared/health/check-types'
import { SECRET_MASK } from '@watchroom/shared/kernel'

import type { LeftFile } from '../executor/contract.ts'

export interface StepFileRow {
  readonly path: string
  readonly filename: string
  readonly content_type: string
  readonly size: number
  readonly checksum: string
}

/** @param secrets longest first */
export function maskFile({ path, content }: LeftFile, secrets: readonly string[]): LeftFile {
  // Byte for byte: a character of Latin-1 is a byte, whatever the file holds.
  const text = content.toString('latin1')
  const masked = secrets.reduce((left, secret) => left.replaceAll(toBytes(secret), SECRET_MASK), text)
  const shown = isText(content) ? maskCredentials(masked) : masked
  return { path, content: shown === text ? content : Buffer.from(shown, 'latin1') }
}

const toBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

export const toStepFileRow = ({ path, content }: LeftFile): StepFileRow => ({
  path,
  filename: posix.basename(path),
  content_type: isText(content) ? 'text/plain; charset=utf-8' : 'application/octet-stream',
  size: content.length,
  checksum: createHash('sha256').update(content).digest('hex'),
})

function isText(content: Buffer): boolean {
  if (content.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content)
    return true
  } catch {
    return false
  }
}
