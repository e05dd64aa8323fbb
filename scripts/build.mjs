// `npm run build`: what `npm start` does before it starts.
import { buildIfStale } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'

await ensureInstalled()
process.stdout.write((await buildIfStale()) ? 'Built gateway/dist and web/dist.\n' : 'Already up to date.\n')
