import type { LeftFile, WantedFiles } from './contract.ts'

/**
 * Files as the shell around a script tells of them (`shellPrograms.ts`): lines of a name and a content in base64, after an empty one.
 * What ran beside that shell had its rights, so its bounds are kept here as well; a line that was cut is none.
 */
export function readLeftFiles(returned: Buffer, { maxFiles, maxBytes }: WantedFiles): LeftFile[] {
  const files = new Map<string, Buffer>()
  let bytes = 0
  for (const line of returned.toString('latin1').split('\n').slice(1, -1)) {
    const [name = '', content = ''] = line.split(' ', 2)
    const file = { path: Buffer.from(name, 'base64').toString('utf8'), content: Buffer.from(content, 'base64') }
    bytes += file.content.length
    if (files.size >= maxFiles || bytes > maxBytes) break
    // Two patterns may mean the same file.
    files.set(file.path, file.content)
  }
  return [...files].map(([path, content]) => ({ path, content }))
}
