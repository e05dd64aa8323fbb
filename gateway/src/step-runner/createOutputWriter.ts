// Writes what a step prints, masked, piece by piece and in order. Whoever prints faster than the database takes it waits; what is
// beyond the bound of a step is read and dropped, so that the step goes on.
import { type Clock, toStorable } from '@watchroom/shared/kernel'
import { MAX_CHUNK_LENGTH, type OutputChunk } from '@watchroom/shared/playbooks'

import { createMask } from './createMask.ts'

export type OutputStream = OutputChunk['stream']

export interface OutputWriter {
  /** Resolves when more may come. */
  write(stream: OutputStream, bytes: Buffer | string): Promise<void>
  /** Writes what is left. @returns what the step's result keeps */
  end(): Promise<{ stdout: string; stderr: string }>
}

export interface WrittenChunk extends OutputChunk {
  /** Characters before it. */
  readonly place: number
}

export interface OutputWriterOptions {
  readonly clock: Clock
  /** Longest first. */
  readonly secrets: readonly string[]
  /** Stores pieces; called again only when it is through. @throws when they cannot be stored at all */
  readonly store: (chunks: readonly WrittenChunk[]) => Promise<void>
  readonly maxCharacters?: number
}

/** A blink: what comes meanwhile goes together. */
const GATHER_MS = 50
/** Characters that may wait for the database. */
const MAX_WAITING = 4 * MAX_CHUNK_LENGTH
const MAX_OUTPUT = 20_000_000
/** Of each of the two, in the step's result. */
const MAX_KEPT = 1_000_000
const CUT = '\n[The output was cut here: a step keeps 20 MB. It goes on.]\n'

export function createOutputWriter(options: OutputWriterOptions): OutputWriter {
  const { clock, secrets, store, maxCharacters = MAX_OUTPUT } = options
  const streams = { stdout: createReader(secrets), stderr: createReader(secrets) }
  let waiting: { at: string; stream: OutputStream; text: string }[] = []
  let waitingCharacters = 0
  let seq = 0
  let place = 0
  let written = 0
  let isCut = false
  let cancelTimer: (() => void) | null = null
  let storing: Promise<void> = Promise.resolve()
  let failure: unknown = null

  const add = (stream: OutputStream, text: string): void => {
    if (text === '' || isCut) return
    const room = maxCharacters - written
    isCut = text.length > room
    const kept = cutWhole(text, room)
    written += kept.length
    streams[stream].keep(kept)
    const at = new Date(clock.now()).toISOString()
    const parts = isCut ? [[stream, kept] as const, ['stderr', CUT] as const] : [[stream, kept] as const]
    for (const [of, part] of parts) {
      if (part !== '') waiting.push({ at, stream: of, text: part })
      waitingCharacters += part.length
    }
  }

  const toChunks = (): WrittenChunk[] => {
    const chunks: WrittenChunk[] = []
    for (const { at, stream, text } of joinNeighbours(waiting)) {
      for (const part of cutIntoPieces(text)) {
        seq += 1
        chunks.push({ seq, at, stream, text: part, place })
        place += part.length
      }
    }
    waiting = []
    waitingCharacters = 0
    return chunks
  }

  const flush = (): Promise<void> => {
    cancelTimer?.()
    cancelTimer = null
    storing = storing.then(async () => {
      const chunks = toChunks()
      if (chunks.length > 0 && failure === null) await store(chunks)
    })
    storing = storing.catch((error: unknown) => {
      failure = error
    })
    return storing
  }

  return {
    write: async (stream, bytes) => {
      add(stream, streams[stream].read(bytes))
      if (waitingCharacters >= MAX_WAITING) await flush()
      else cancelTimer ??= clock.schedule(() => void flush(), GATHER_MS)
      if (failure !== null) throw failure
    },
    end: async () => {
      add('stdout', streams.stdout.end())
      add('stderr', streams.stderr.end())
      await flush()
      if (failure !== null) throw failure
      return { stdout: streams.stdout.kept(), stderr: streams.stderr.kept() }
    },
  }
}

function createReader(secrets: readonly string[]) {
  // Keeps a mark at the start, and the first bytes of a character until the others come.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const mask = createMask(secrets)
  const kept: string[] = []
  let keptCharacters = 0
  return {
    read: (bytes: Buffer | string): string =>
      mask.push(toText(typeof bytes === 'string' ? bytes : decoder.decode(bytes, { stream: true }))),
    end: (): string => mask.push(toText(decoder.decode())) + mask.end(),
    keep: (text: string): void => {
      const part = cutWhole(text, Math.max(0, MAX_KEPT - keptCharacters))
      // What was left out counts: nothing follows a cut.
      keptCharacters += text.length
      if (part !== '') kept.push(part)
    },
    kept: (): string => kept.join(''),
  }
}

/** A text of the database holds no NUL. */
const toText = (text: string): string => toStorable(text.replaceAll('\0', '\u{FFFD}'))

function joinNeighbours<Part extends { stream: OutputStream; text: string }>(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last?.stream === part.stream) joined[joined.length - 1] = { ...last, text: last.text + part.text }
    else joined.push(part)
  }
  return joined
}

function cutIntoPieces(text: string): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    const piece = cutWhole(text.slice(from, from + MAX_CHUNK_LENGTH + 1), MAX_CHUNK_LENGTH)
    pieces.push(piece)
    from += piece.length
  }
  return pieces
}

/** Never between the halves of a code point, whatever program printed it: no table takes one. */
function cutWhole(text: string, maxLength: number): string {
  const isPairCut = maxLength < text.length && /[\uD800-\uDBFF]/.test(text.charAt(maxLength - 1))
  return text.slice(0, isPairCut ? maxLength - 1 : maxLength)
}
