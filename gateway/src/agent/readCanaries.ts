// Canaries from YAML files: documents as Kubernetes has them (`kind: Canary`), or plainly `name`, `namespace`, `labels`, `spec`.
// What is wrong is told by file and place; nothing is guessed.
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

import { parseAllDocuments } from 'yaml'
import { z } from 'zod'

export interface CanarySource {
  readonly name: string
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  readonly spec: Record<string, unknown>
  /** Where it was read, for messages. */
  readonly origin: string
}

export interface ReadCanaries {
  readonly canaries: readonly CanarySource[]
  /** One sentence each. */
  readonly problems: readonly string[]
  /** Differs when any file differs. */
  readonly version: string
}

const YAML_FILE = /\.(?:ya?ml|json)$/
const DEFAULT_NAMESPACE = 'default'

const LabelsSchema = z.record(z.string(), z.coerce.string()).nullish()
const SpecSchema = z.record(z.string(), z.unknown(), 'expected an object with a list of checks per type')
const NameSchema = z.string('expected a text').min(1, 'expected a text')

const CustomResourceSchema = z.object({
  kind: z.literal('Canary'),
  metadata: z.object({ name: NameSchema, namespace: z.string().optional(), labels: LabelsSchema }),
  spec: SpecSchema,
})
const PlainSchema = z.strictObject({
  name: NameSchema,
  namespace: z.string().optional(),
  labels: LabelsSchema,
  spec: SpecSchema,
})

/** @throws the file system's error when the path itself cannot be read */
export async function readCanaries(path: string): Promise<ReadCanaries> {
  const files = (await stat(path)).isDirectory() ? await yamlFilesIn(path) : [path]
  const canaries: CanarySource[] = []
  const problems: string[] = []
  const versions: string[] = []
  const origins = new Map<string, string>()
  for (const file of files) {
    const text = await readFile(file, 'utf8')
    versions.push(file, text)
    const read = parseCanaries(text, basename(file))
    problems.push(...read.problems)
    for (const canary of read.canaries) {
      const key = `${canary.namespace}/${canary.name}`
      const first = origins.get(key)
      if (first !== undefined) {
        problems.push(`${canary.origin}: the canary ${key} is already defined in ${first}`)
        continue
      }
      origins.set(key, canary.origin)
      canaries.push(canary)
    }
  }
  if (files.length === 0) problems.push(`${path}: there is no .yaml, .yml or .json file in this folder`)
  return { canaries, problems, version: versions.join('\0') }
}

async function yamlFilesIn(directory: string): Promise<string[]> {
  const names = await readdir(directory)
  return names
    .filter((name) => YAML_FILE.test(name) && !name.startsWith('.'))
    .toSorted()
    .map((name) => join(directory, name))
}

/** Aliases that multiply, or lead nowhere, are found only when they are followed. */
function tryToJs(document: { toJS(): unknown }): { value: unknown } | { problem: string } {
  try {
    return { value: document.toJS() }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'cannot be read' }
  }
}

/** @param file name for messages */
export function parseCanaries(text: string, file: string): Pick<ReadCanaries, 'canaries' | 'problems'> {
  const canaries: CanarySource[] = []
  const problems: string[] = []
  const documents = parseAllDocuments(text)
  for (const [index, document] of (Array.isArray(documents) ? documents : []).entries()) {
    const origin = documents.length > 1 ? `${file} (document ${index + 1})` : file
    const [fault] = document.errors
    if (fault) {
      problems.push(`${origin}: ${fault.message.split('\n', 1)[0] ?? 'not YAML'}`)
      continue
    }
    const read = tryToJs(document)
    if ('problem' in read) {
      problems.push(`${origin}: ${read.problem}`)
      continue
    }
    const { value } = read
    if (value === null || value === undefined) continue
    const isResource = typeof value === 'object' && 'kind' in value
    const parsed = isResource ? CustomResourceSchema.safeParse(value) : PlainSchema.safeParse(value)
    if (!parsed.success) {
      problems.push(
        ...parsed.error.issues.map(({ path, message }) => `${origin}: ${path.join('.') || 'document'}: ${message}`),
      )
      continue
    }
    const { name, namespace, labels } = 'metadata' in parsed.data ? parsed.data.metadata : parsed.data
    canaries.push({
      name,
      namespace: namespace ?? DEFAULT_NAMESPACE,
      labels: labels ?? {},
      spec: parsed.data.spec,
      origin,
    })
  }
  if (canaries.length === 0 && problems.length === 0) problems.push(`${file}: there is no canary in this file`)
  return { canaries, problems }
}
