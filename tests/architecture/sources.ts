import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Repository root, with a trailing slash. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Source {
  /** Path from the repository root, with forward slashes. */
  path: string
  text: string
  imports: Import[]
}

export interface Import {
  specifier: string
  /** For a relative import: the imported file from the repository root. */
  target?: string
  isTypeOnly: boolean
}

const SKIPPED = new Set(['node_modules', 'dist', '.tsbuild', '.git', '.watchroom', '.build', '.e2e-results'])

/** Files below a folder of the repository, as paths from its root. */
export function listFiles(folder: string, matches: RegExp): string[] {
  return readdirSync(join(ROOT, folder)).flatMap((name) => {
    if (SKIPPED.has(name)) return []
    const path = folder === '' ? name : `${folder}/${name}`
    if (statSync(join(ROOT, path)).isDirectory()) return listFiles(path, matches)
    return matches.test(path) ? [path] : []
  })
}

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** TypeScript sources below a folder with their imports (static, dynamic and re-exports). */
export function readSources(folder: string): Source[] {
  return listFiles(folder, /\.tsx?$/).map((path) => {
    const text = readText(path)
    return { path, text, imports: readImports(path, text) }
  })
}

function readImports(path: string, text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gms)
  const dynamic = text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)
  return [
    ...[...statements].map((match) => toImport(path, match[2] ?? '', match[1] !== undefined)),
    ...[...dynamic].map((match) => toImport(path, match[1] ?? '', false)),
  ]
}

function toImport(path: string, specifier: string, isTypeOnly: boolean): Import {
  if (!specifier.startsWith('.')) return { specifier, isTypeOnly }
  const target = relative(ROOT, join(ROOT, dirname(path), specifier)).replaceAll('\\', '/')
  return { specifier, target, isTypeOnly }
}
