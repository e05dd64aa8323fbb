// Monaco reads this global while its modules are evaluated: this one has to be through before they are asked for.
// oxlint-disable-next-line import/default -- the bundler makes the default export of `?worker`
import EditorWorker from 'monaco-editor/editor/editor.worker?worker'

import { withRenamedStyles } from './styleAttributes.ts'

interface HtmlPolicyOptions {
  createHTML?: (html: string) => string
}

Object.assign(globalThis, {
  MonacoEnvironment: {
    getWorker: () => new EditorWorker(),
    createTrustedTypesPolicy: (_name: string, options: HtmlPolicyOptions) => ({
      ...options,
      createHTML: (html: string) => withRenamedStyles(options.createHTML?.(html) ?? html),
    }),
  },
})
