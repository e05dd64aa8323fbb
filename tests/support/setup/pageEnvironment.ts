// Where the project `web` runs: modules as a browser gets them. The page itself is made for each file (freshPage.ts).
import type { Environment } from 'vitest/runtime'

// oxlint-disable-next-line import/no-default-export -- Vitest takes no other
export default {
  name: 'page',
  viteEnvironment: 'client',
  setup: () => ({ teardown: () => undefined }),
} satisfies Environment
