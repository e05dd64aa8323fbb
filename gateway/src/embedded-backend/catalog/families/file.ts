// Files of this machine: YAML, JSON, properties and TOML, in a folder or a git working copy.
import { basename, extname } from 'node:path'

import type { Clock } from '@watchroom/shared/kernel'
import type { FileElement } from '@watchroom/shared/specs'

import { type FileRoots, toRealRoots } from '../../../platform/fileRoots.ts'
import { type Family, type ReadBatch, SourceFault } from '../family.ts'
import type { RawItem, SourceWarning } from '../item.ts'
import { createGitFacts, type GitFacts } from './file/gitFacts.ts'
import { ENDINGS } from './file/parseFile.ts'
import {
  listFiles,
  readSourceFile,
  requireFile,
  requireFolder,
  showPath,
  type SourcePattern,
  toPattern,
} from './file/sourceFiles.ts'
import { watchFolders } from './file/watchFolders.ts'
import { parseApart } from './parseApart.ts'

const FILES_PER_BATCH = 100
const TYPE = 'File'

export function createFileFamily({
  roots,
  clock,
}: {
  readonly roots: FileRoots
  readonly clock: Clock
}): Family<FileElement> {
  return {
    name: 'file',
    read: async function* (element, context) {
      const isWanted = wantedBy(element)
      const git = createGitFacts(context)
      const files: string[] = []
      for (const pattern of patternsOf(element, roots)) {
        await requireFolder(pattern, roots)
        files.push(...(await listFiles(pattern, isWanted, context.signal)))
      }
      const real = await toRealRoots(roots)
      const paths = [...new Set(files)]
      for (let at = 0; at < paths.length; at += FILES_PER_BATCH) {
        const batch = paths.slice(at, at + FILES_PER_BATCH)
        yield mergeBatches(await Promise.all(batch.map((path) => readOne(path, { element, roots, real, git }))))
      }
    },
    watch: (element, onChange) =>
      element.watch === true
        ? watchFolders(
            patternsOf(element, roots).map(({ folder }) => folder),
            clock,
            onChange,
          )
        : null,
    judge: async (element) => {
      for (const [index, path] of element.paths.entries()) {
        try {
          const pattern = toPattern(path, roots, wantedBy(element))
          await requireFolder(pattern, roots)
          await requireFile(pattern, roots)
        } catch (error) {
          // A folder may come later; one that leads out may not.
          if (error instanceof SourceFault && !error.message.endsWith('is not there'))
            return `paths.${index}: ${error.message}`
        }
      }
      return null
    },
  }
}

const wantedBy =
  ({ format }: FileElement) =>
  (name: string): boolean =>
    ENDINGS[format].includes(extname(name).toLowerCase()) || ENDINGS[format].includes(name.toLowerCase())

const patternsOf = (element: FileElement, roots: FileRoots): SourcePattern[] =>
  element.paths.map((path) => toPattern(path, roots, wantedBy(element)))

interface ReadingOf {
  readonly element: FileElement
  readonly roots: FileRoots
  readonly real: FileRoots
  readonly git: GitFacts
}

async function readOne(path: string, { element, roots, real, git }: ReadingOf): Promise<ReadBatch> {
  const source = showPath(path, roots)
  const warn = (warning: Pick<SourceWarning, 'message' | 'line'>): ReadBatch => ({
    items: [],
    warnings: [{ source, ...warning, hidesItems: true }],
  })
  const bytes = await readSourceFile(path, real)
  if (bytes === null) return { items: [], warnings: [] }
  if (typeof bytes === 'string') return warn({ message: bytes })
  const documents = await parseApart(bytes, element.format)
  if (!documents.ok) return warn(documents.error)
  const name = basename(path, extname(path))
  const items = documents.value.map(({ config, line }, index): RawItem => {
    const isOnly = documents.value.length === 1
    return {
      config,
      facts: {
        id: isOnly ? source : `${source}#${index + 1}`,
        name: isOnly ? name : `${name} ${index + 1}`,
        type: TYPE,
        icon: element.icon,
      },
      place: { source, line },
      authorship: () => git.authorOf(path, bytes),
    }
  })
  return { items, warnings: [] }
}

const mergeBatches = (batches: readonly ReadBatch[]): ReadBatch => ({
  items: batches.flatMap(({ items }) => items),
  warnings: batches.flatMap(({ warnings }) => warnings),
})
