// The editor with what YAML needs, about a megabyte: only ever reached through `import()`.
// One worker is the editor's, one reads YAML and its schemas.
import 'monaco-editor/features/bracketMatching/register'
import 'monaco-editor/features/clipboard/register'
import 'monaco-editor/features/codicon/register'
import 'monaco-editor/features/comment/register'
import 'monaco-editor/features/find/register'
import 'monaco-editor/features/folding/register'
import 'monaco-editor/features/format/register'
import 'monaco-editor/features/gotoError/register'
import 'monaco-editor/features/hover/register'
import 'monaco-editor/features/indentation/register'
import 'monaco-editor/features/linesOperations/register'
import 'monaco-editor/features/multicursor/register'
import 'monaco-editor/features/snippet/register'
import 'monaco-editor/features/suggest/register'
import 'monaco-editor/features/toggleTabFocusMode/register'
import 'monaco-editor/features/wordHighlighter/register'
import 'monaco-editor/features/wordOperations/register'
// The feature above brings inline completions only; the list of suggestions is this module.
import 'monaco-editor/editor/contrib/suggest/browser/suggestController'
import 'monaco-editor/languages/definitions/yaml/register'
import * as monaco from 'monaco-editor/editor'
import { configureMonacoYaml, type SchemasSettings } from 'monaco-yaml'

import type { JsonSchema } from './contract.ts'
// oxlint-disable-next-line import/default -- the bundler makes the default export of `?worker`
import YamlWorker from './yaml.worker.ts?worker'

/**
 * monaco-yaml 5.5.1 still asks for its worker the way Monaco did before 0.53 (its issue 272): here the worker is made and
 * given its settings by hand.
 */
const facade = {
  ...monaco,
  editor: {
    ...monaco.editor,
    createWebWorker: ({ createData }: { createData: unknown }) => {
      const worker = new YamlWorker()
      // The first message only arms the worker, the second carries the settings.
      for (const message of ['ignore', createData]) worker.postMessage(message, [])
      return monaco.editor.createWebWorker({ worker })
    },
    /** What does not fit the schema will be refused when saved: an error, not the warning that it is called there. */
    setModelMarkers: (model: monaco.editor.ITextModel, owner: string, markers: monaco.editor.IMarkerData[]) =>
      monaco.editor.setModelMarkers(
        model,
        owner,
        markers.map((marker) => ({ ...marker, severity: monaco.MarkerSeverity.Error })),
      ),
  },
}

const schemas: SchemasSettings[] = []
const yaml = configureMonacoYaml(facade, { enableSchemaRequest: false, schemas, hoverSchemaSource: false })

const schemaNames = new WeakMap<JsonSchema, string>()
let modelCount = 0

/** A new document; those of one schema share its registration. The caller disposes it. */
function createYamlModel(text: string, schema?: JsonSchema): monaco.editor.ITextModel {
  modelCount += 1
  const name = schema ? nameOf(schema) : 'plain'
  return monaco.editor.createModel(text, 'yaml', monaco.Uri.parse(`inmemory://model/${modelCount}/${name}.yaml`))
}

function nameOf(schema: JsonSchema): string {
  const known = schemaNames.get(schema)
  if (known !== undefined) return known
  const name = `schema-${schemas.length}`
  schemaNames.set(schema, name)
  schemas.push({ uri: `inmemory://schema/${name}.json`, fileMatch: [`**/${name}.yaml`], schema })
  void yaml.update({ schemas: [...schemas] })
  return name
}

export { createYamlModel, monaco }
