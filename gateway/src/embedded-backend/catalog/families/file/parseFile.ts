// The documents of a file, as JSON. What is wrong is said without the text of the file: it may hold a secret.
import { failed, ok, type Result } from '@watchroom/shared/kernel'
import type { FileFormat } from '@watchroom/shared/specs'
import { parse as parseToml, TomlError } from 'smol-toml'
import { type Document, isScalar, LineCounter, parseAllDocuments, visit } from 'yaml'

export interface FileDocument {
  readonly config: unknown
  /** Where it begins, from 1. */
  readonly line: number
}

export interface FileProblem {
  readonly message: string
  readonly line?: number | undefined
}

export const ENDINGS: Readonly<Record<FileFormat, readonly string[]>> = {
  yaml: ['.yaml', '.yml'],
  json: ['.json'],
  properties: ['.properties', '.env', '.ini'],
  toml: ['.toml'],
}

/** Of one file. */
const MAX_DOCUMENTS = 10_000

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function parseFile(bytes: Buffer, format: FileFormat): Result<readonly FileDocument[], FileProblem> {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return failed({ message: 'is no text' })
  }
  if (text.includes('\0')) return failed({ message: 'is no text' })
  const documents = PARSERS[format](text)
  // Dates and numbers that JSON does not have become what it has.
  return documents.ok && format !== 'json'
    ? ok(documents.value.map(({ config, line }) => ({ config: JSON.parse(JSON.stringify(config)) as unknown, line })))
    : documents
}

/** @returns null where it is none, which `parseFile` says more about */
export function tryParseJsonFile(bytes: Buffer): readonly FileDocument[] | null {
  try {
    return [{ config: JSON.parse(utf8.decode(bytes)) as unknown, line: 1 }]
  } catch {
    return null
  }
}

type Parsed = Result<readonly FileDocument[], FileProblem>

const PARSERS: Readonly<Record<FileFormat, (text: string) => Parsed>> = {
  yaml: parseYaml,
  json: parseJson,
  toml: (text) => {
    try {
      return ok([{ config: parseToml(text), line: 1 }])
    } catch (error) {
      return failed(
        error instanceof TomlError ? { message: 'is no TOML', line: error.line } : { message: 'is no TOML' },
      )
    }
  },
  properties: parseProperties,
}

function parseYaml(text: string): Parsed {
  const lines = new LineCounter()
  const documents = parseAllDocuments(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
    // The library compares each key with all before it: a map of 100,000 would take minutes.
    uniqueKeys: false,
  })
  if (documents.length > MAX_DOCUMENTS) return failed({ message: `holds more than ${MAX_DOCUMENTS} documents` })
  const found: FileDocument[] = []
  for (const document of documents) {
    const [error] = document.errors
    if (error) return failed({ message: `is no YAML (${error.code})`, line: lines.linePos(error.pos[0]).line })
    const twice = findKeyTwice(document)
    if (twice !== null) return failed({ message: 'is no YAML (DUPLICATE_KEY)', line: lines.linePos(twice).line })
    const line = lines.linePos(document.range[0]).line
    try {
      const config: unknown = document.toJS()
      if (config !== null && config !== undefined) found.push({ config, line })
    } catch {
      return failed({ message: 'refers to itself too often', line })
    }
  }
  return ok(found)
}

/** Where a map has a key that it had before. */
function findKeyTwice(document: Document): number | null {
  let found: number | null = null
  visit(document, {
    Map: (_, map) => {
      const keys = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (keys.has(key.value)) {
          found = key.range?.[0] ?? 0
          return visit.BREAK
        }
        keys.add(key.value)
      }
      return undefined
    },
  })
  return found
}

function parseJson(text: string): Parsed {
  try {
    return ok([{ config: JSON.parse(text) as unknown, line: 1 }])
  } catch (error) {
    const fault = placeOf(error) ?? findFault(text)
    return failed({ message: 'is no JSON', line: text.slice(0, fault).split('\n').length })
  }
}

/** Null when the message names no position, as for an unexpected word. */
function placeOf(error: unknown): number | null {
  const place = error instanceof Error ? / at position (\d+)/.exec(error.message)?.[1] : undefined
  return place === undefined ? null : Number(place)
}

/** The first character that is none: what ends before it lacks its end alone. */
function findFault(text: string): number {
  let [whole, broken] = [0, text.length + 1]
  while (broken - whole > 1) {
    const middle = Math.floor((whole + broken) / 2)
    if (lacksEnd(text.slice(0, middle))) whole = middle
    else broken = middle
  }
  return whole
}

function lacksEnd(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (!(error instanceof Error)) return false
    return (placeOf(error) ?? -1) >= text.length || /^Un(?:expected end|terminated string)/.test(error.message)
  }
}

const PROPERTY = /^\s*(?:export\s+)?([^=:\s#!;[][^=:]*?)\s*[=:]\s*(.*?)\s*$/u
const SECTION = /^\s*\[([^\]]+)\]\s*$/u
const REMARK = /^\s*(?:[#!;].*)?$/u

/** `key = value`, one a line; what stands below `[section]` is a member of it. */
function parseProperties(text: string): Parsed {
  const config: Record<string, unknown> = {}
  let members: Record<string, unknown> = config
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    if (REMARK.test(line)) continue
    const section = SECTION.exec(line)?.[1]
    const [, key, value] = PROPERTY.exec(line) ?? []
    if (section !== undefined) {
      members = {}
      define(config, section.trim(), members)
    } else if (key === undefined) return failed({ message: 'is no line of properties', line: index + 1 })
    else define(members, key, value)
  }
  return ok([{ config, line: 1 }])
}

/** Also `__proto__` is a name like others. */
const define = (record: Record<string, unknown>, name: string, value: unknown): void => {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
}
