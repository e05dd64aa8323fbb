import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { readText, ROOT } from './sources.ts'

/** One line of docs/spec-coverage.md: a requirement and the tests that prove it. */
export interface CoverageRow {
  /** Heading it stands under. */
  readonly section: string
  readonly requirement: string
  readonly proofs: readonly Proof[]
  /** The line itself, to find it again. */
  readonly text: string
}

export type Proof =
  | { readonly kind: 'test'; readonly file: string; readonly title: string }
  /** Not built, or not all of it; with the reason where one is given. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly text: string }

/** Rows of all tables, each with the last heading of the second level above it. */
export function readCoverageRows(markdown: string): CoverageRow[] {
  const rows: CoverageRow[] = []
  let section = ''
  for (const line of markdown.split('\n')) {
    if (line.startsWith('## ')) section = line.slice(3).trim()
    const cells = line.startsWith('|') ? splitCells(line) : []
    const [requirement = '', proofs = ''] = cells
    if (cells.length === 0 || requirement === 'Requirement' || /^:?-+:?$/.test(requirement)) continue
    rows.push({ section, requirement, proofs: splitProofs(proofs), text: line })
  }
  return rows
}

/** Cells of a row; `\|` is a bar inside one. */
function splitCells(line: string): string[] {
  return line
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'))
}

function splitProofs(cell: string): Proof[] {
  return cell
    .split('<br>')
    .map((text) => text.trim().replaceAll(/^`|`$/g, ''))
    .filter((text) => text !== '')
    .map((text) => {
      if (/^not built\b/.test(text)) return { kind: 'missing' }
      const [file = '', ...title] = text.split(' › ')
      return title.length === 0 ? { kind: 'unreadable', text } : { kind: 'test', file, title: title.join(' › ') }
    })
}

const TITLE =
  /\b(?:it|test)(?:\.(?:skipIf|runIf)\([^\n]*?\)|\.each(?:<[\s\S]*?>(?=[(`]))?(?:\([\s\S]*?\)|`[^`]*`)|\.\w+)*\s*\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g

/** Titles of the tests of a source, as they are written there: with `%s` and `${…}` unfilled. */
export function readTestTitles(source: string): Set<string> {
  const titles = [...source.matchAll(TITLE)].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
  return new Set(titles.map((title) => title.replaceAll(/\\(['"`\\])/g, '$1')))
}

const titlesOfFiles = new Map<string, Set<string> | null>()

/** What is wrong with a proof; null when its test exists. */
export function findProblem(proof: Proof): string | null {
  if (proof.kind === 'missing') return null
  if (proof.kind === 'unreadable') return `is neither "file › test title" nor "not built": ${proof.text}`
  const { file, title } = proof
  let titles = titlesOfFiles.get(file)
  if (titles === undefined) {
    const isTestFile = /^(?:tests|e2e)\/[\w./-]+\.(?:test|spec)\.tsx?$/.test(file)
    titles = isTestFile && existsSync(join(ROOT, file)) ? readTestTitles(readText(file)) : null
    titlesOfFiles.set(file, titles)
  }
  if (titles === null) return `there is no test file ${file}`
  return titles.has(title) ? null : `${file} has no test "${title}"`
}
